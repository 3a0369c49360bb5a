"""JSON Schemas (2020-12) of files and records, derived from their types."""
