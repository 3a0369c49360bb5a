"""Benchmarks: `python -m bench` prints every figure beside what it is held against."""
