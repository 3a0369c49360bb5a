"""The shapes of JSON responses; `python -m tools.web_types` derives the web pages' type declarations from them."""
