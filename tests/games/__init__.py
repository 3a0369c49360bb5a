"""Games besides those of the regulations, and the tools for their authors."""
