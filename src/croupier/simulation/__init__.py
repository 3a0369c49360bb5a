"""Chance, put to the test: the same definitions and the same shuffle as at the table, over many rounds."""
