"""Past play: tables and their records, search, recall and replay, as the viewer may see them."""
