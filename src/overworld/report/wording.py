"""Numbers and objects as people read them, the same in tables and on pages."""

from __future__ import annotations

from overworld.grade.verdicts import Difference, Listing, TaggedObject, Verdict
from overworld.score.intervals import Interval
from overworld.score.scores import Gap, Proportion

NOTHING = "–"
UNSCORED = "unscored"


def share(value: float | None) -> str:
    """``0.667``."""
    return NOTHING if value is None else f"{value:.3f}"


def interval(value: Interval | None) -> str:
    """``[0.210, 0.940]``."""
    return NOTHING if value is None else f"[{value.low:.3f}, {value.high:.3f}]"


def proportion(value: Proportion | None) -> str:
    """A share with its headline interval."""
    return NOTHING if value is None else f"{share(value.share)} {interval(value.wilson.interval)}"


def gap(value: Gap | None) -> str:
    """A difference of shares, with its sign."""
    return NOTHING if value is None else f"{value.value:+.3f}"


def verdict_name(verdict: Verdict) -> str:
    """The verdict's word."""
    return UNSCORED if verdict.kind is None else verdict.kind.value


def reasons(verdict: Verdict) -> list[str]:
    """Why a verdict is what it is, one sentence an item."""
    lines = [verdict.message]
    if verdict.world is not None:
        why = "" if verdict.world_why is None else f", which catches {verdict.world_why}"
        lines.append(f"decided by world {verdict.world}{why}")
    lines += [
        f"caught by {one.what} ({one.object})" + ("" if one.why is None else f": {one.why}")
        for one in verdict.caught_by
    ]
    return lines + ([] if verdict.difference is None else _difference(verdict.difference))


def _difference(difference: Difference) -> list[str]:
    lines = [f"nearest reading: {difference.reading}"]
    if difference.expected is not None:
        lines.append(f"expected {difference.expected}, got {difference.got}")
    for word, listing in (("missing", difference.missing), ("too much", difference.extra)):
        if listing is not None and listing.total:
            lines.append(f"{word}: {_listing(listing)}")
    return lines


def _listing(listing: Listing) -> str:
    shown = "; ".join(map(tagged_object, listing.shown))
    more = listing.total - len(listing.shown)
    return f"{listing.total}: {shown}" + (f"; and {more} more" if more else "")


def tagged_object(one: TaggedObject) -> str:
    """``node/1 (amenity=cafe, name=…)``."""
    tags = ", ".join(f"{key}={value}" for key, value in sorted(one.tags.items()))
    return f"{one.object} ({tags})" if tags else str(one.object)
