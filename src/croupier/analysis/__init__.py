"""Exact mathematics of the rules that the table runs."""
