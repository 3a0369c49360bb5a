"""Records checked by replaying them and by computing their figures a second time."""
