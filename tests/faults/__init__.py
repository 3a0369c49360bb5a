"""Fault injection: killed servers, database outages, full disks.

The tests run short versions; `python -m tests.faults kills --times 300` runs a long one.
"""
