"""What knowledge is worth: the exact value of perfect play with more knowledge than the rules give a player."""
