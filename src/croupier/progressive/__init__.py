"""Progressive meters and what they pay."""
