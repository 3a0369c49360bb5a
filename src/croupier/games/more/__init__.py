"""Games without a regulation that come with Croupier: each is one file and its rules, and nothing else knows of it."""
