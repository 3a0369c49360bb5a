"""Exact mathematics of the very rules that the table runs."""
