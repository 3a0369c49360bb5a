"""The documentation site: pages generated from the product itself."""
