"""Board games: raises while the board is revealed, solved by backward induction."""
