"""The record of a table: lines, codec, hashes, causation, and how older records are read."""
