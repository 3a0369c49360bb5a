"""The checks of an audit: each a pure function that yields findings."""
