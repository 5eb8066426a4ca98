"""Floor 5: from a reply to a verdict.

A reply goes through these modules in order: ``extraction`` (the query in it), ``refusals`` (what is not supported),
``preparation`` (shortcuts and settings), ``execution`` (one run on one world), ``answers`` (what it answers),
``grader`` (every world, every accepted reading) and ``verdicts`` (the result and its details).
"""
