"""Games without a regulation that come with Croupier: each is one file with its rules; no other code mentions it."""
