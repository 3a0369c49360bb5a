"""What must hold when things break: a server that is killed, a database that goes away, a disk that is full.

`python -m tests.faults kills --times 300` and the like run for long; the tests run short versions of the same.
"""
