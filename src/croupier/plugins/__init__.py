"""Games and editions that users add: `discovery` finds their files, `loader` loads them."""

from croupier.plugins.loader import install

__all__ = ["install"]
