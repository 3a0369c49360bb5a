"""The migration steps."""
