"""Floor 7: run files, where they are kept, the reference agents, and the grading of a whole run.

``runfile`` reads and writes runs, ``places`` says where a run and its results lie, ``reference`` makes the runs that
need no model, ``grading`` grades a run, ``results`` writes what came out, ``reproduction`` compares it with what was
stored.
"""
