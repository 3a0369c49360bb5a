"""The documentation site: pages that are made from the product itself."""
