"""The public Python API behind `import croupier`: one function for each command, with frozen results.

`croupier/__init__.py` lists what is public and imports it from here on first use.
"""
