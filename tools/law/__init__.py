"""Breaks what stands behind each clause, one mutation at a time, and runs the tests that claim the clause.

`python -m tools.law` runs the campaign and writes `tests/law/evidence.json`; nothing in the sources is changed.
"""
