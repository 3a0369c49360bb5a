"""Monte Carlo simulation of any edition, compiled from the same definitions as the table and the analysis."""
