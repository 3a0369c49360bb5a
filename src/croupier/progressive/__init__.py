"""Progressive meters, linked meters and mystery meters."""
