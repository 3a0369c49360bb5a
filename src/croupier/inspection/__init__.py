"""Whole databases examined from nothing but themselves and the rule files: read, never written."""
