"""Papers made from a Rules Submission and the exact mathematics: reports, layouts, cards, signs, comparisons."""
