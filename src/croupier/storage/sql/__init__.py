"""The database layer: connections, schema, raw statements and the file lock of SQLite."""
