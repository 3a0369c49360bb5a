"""Benchmarks: `python -m bench` prints every figure with its reference and its target."""
