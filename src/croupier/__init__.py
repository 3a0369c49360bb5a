"""Croupier runs, explains and proves regulated casino poker table games."""

from croupier.core.extensions import EXTENSIONS

__version__ = "0.2.0"


def _install_plugins() -> None:
    from croupier.plugins import install

    install()


EXTENSIONS.add(_install_plugins)
