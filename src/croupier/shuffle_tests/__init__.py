"""Statistical tests of shuffles (RNG-5, RNG-6), for the production code and for recorded decks."""
