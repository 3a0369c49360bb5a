"""Rounds of a record: recall step by step, export as documents, and verification of a deal."""
