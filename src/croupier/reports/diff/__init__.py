"""Compares two editions or two submissions: rules, tables, house edges."""
