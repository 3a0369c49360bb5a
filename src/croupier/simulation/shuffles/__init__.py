"""The bench of RNG-5 and RNG-6: is a shuffle fair, asked of the production path and of recorded decks."""
