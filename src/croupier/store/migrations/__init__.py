"""How the schema came about, one step a file."""
