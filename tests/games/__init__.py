"""Games that were added to those of the regulations, and what their authors need."""
