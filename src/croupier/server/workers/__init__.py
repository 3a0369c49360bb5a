"""CPU-bound work in child processes: advice, house edges, audits, drills."""
