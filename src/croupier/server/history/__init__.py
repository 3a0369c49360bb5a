"""Past play for those who may look back: tables, rounds, search, recall and replay."""
