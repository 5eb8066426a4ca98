"""Floor 6: scores with intervals, and the provenance that makes two of them comparable.

``samples`` is what is scored; ``intervals``, ``student`` and ``repeats`` are the statistics; ``scores`` puts a run's
numbers together; ``provenance`` says what they rest on; ``document`` is the score file.
"""
