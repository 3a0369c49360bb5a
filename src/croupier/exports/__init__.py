"""Rounds of a record for others to read: as lines, as documents, step by step, and to verify a deal."""
