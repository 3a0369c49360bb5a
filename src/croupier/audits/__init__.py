"""The audit: replays records and recomputes their figures."""
