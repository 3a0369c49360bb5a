"""Repositories: the SQL of the server and the audit, one module per subject; rows become frozen dataclasses."""
