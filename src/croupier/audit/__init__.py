"""The audit: replays records and computes their figures a second time."""
