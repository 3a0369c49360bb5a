"""Schema migrations, one step per file."""
