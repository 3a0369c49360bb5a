"""How wagers on the same cards move together, exactly."""
