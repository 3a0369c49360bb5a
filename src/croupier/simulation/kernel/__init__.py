"""From the definition of a game to a compiled simulator."""
