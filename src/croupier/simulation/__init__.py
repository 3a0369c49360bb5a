"""Monte Carlo simulation of many rounds, with the game definitions and the settlement of the table."""
