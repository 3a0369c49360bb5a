"""Printable documents from a Rules Submission and exact mathematics: reports, layouts, cards, signs, comparisons."""
