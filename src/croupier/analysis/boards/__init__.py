"""Games of raises on a growing board, solved from the last card back."""
