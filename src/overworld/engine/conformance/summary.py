"""What a run over a corpus comes to: agreement for each feature and in all, and how well errors match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from overworld.engine.conformance.comparing import Outcome


@dataclass(frozen=True, slots=True)
class Tally:
    """Cases that agree, of how many; ``unsupported`` ones are among the rest."""

    agree: int
    cases: int
    unsupported: int

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Tally:
        """Count the outcomes."""
        seen = list(outcomes)
        return cls(sum(one.agrees for one in seen), len(seen), sum(not one.supported for one in seen))

    @property
    def percent(self) -> float:
        """Agreement in per cent of all cases."""
        return 100.0 * self.agree / self.cases if self.cases else 100.0

    def __str__(self) -> str:
        return f"{self.agree} of {self.cases} agree ({self.percent:.2f} %), {self.unsupported} not supported"


@dataclass(frozen=True, slots=True)
class Summary:
    """``errors``: cases that the real engine refuses or ends, how many of them end with the same kind and line, and how
    many with the same message."""

    total: Tally
    features: dict[str, Tally]
    errors: int
    same_refusal: int
    same_message: int

    @classmethod
    def of(cls, outcomes: list[Outcome]) -> Summary:
        """Sum up the outcomes of one run."""
        by_feature: dict[str, list[Outcome]] = {}
        for one in outcomes:
            by_feature.setdefault(one.case.feature, []).append(one)
        features = {feature: Tally.of(by_feature[feature]) for feature in sorted(by_feature)}
        errors = [one for one in outcomes if one.case.error is not None]
        return cls(
            Tally.of(outcomes),
            features,
            len(errors),
            sum(bool(one.same_refusal) for one in errors),
            sum(bool(one.same_message) for one in errors),
        )

    def lines(self) -> list[str]:
        """A line for each feature, one about errors, and the last line."""
        width = max((len(feature) for feature in self.features), default=0)
        texts = [f"{feature:<{width}}  {tally}" for feature, tally in self.features.items()]
        if self.errors:
            texts.append(
                f"errors: {self.same_refusal} of {self.errors} of the same kind and line, "
                f"{self.same_message} of {self.errors} with the same message"
            )
        total = self.total
        texts.append(
            f"conformance: {total.agree} of {total.cases} agree ({total.percent:.2f} %), "
            f"{total.unsupported} not supported"
        )
        return texts

    def document(self, outcomes: list[Outcome]) -> dict[str, Any]:
        """The same as JSON, with every difference."""
        return {
            "total": {**asdict(self.total), "percent": self.total.percent},
            "features": {feature: asdict(tally) for feature, tally in self.features.items()},
            "errors": {"cases": self.errors, "same_refusal": self.same_refusal, "same_message": self.same_message},
            "differences": [
                {
                    "id": one.case.id,
                    "world": one.case.world,
                    "feature": one.case.feature,
                    "ql": one.case.query,
                    "supported": one.supported,
                    "differences": list(one.differences),
                }
                for one in outcomes
                if not one.agrees
            ],
        }
