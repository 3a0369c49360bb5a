"""The verifiable deal (RNG-7): how an order of the cards follows from a committed seed and what patrons add to it.

Before a shuffle the house draws a server seed of 32 bytes and shows its commitment. Until the shuffle patrons may add
texts of their own. The order is then fixed: nobody knew it before the last text, and nobody can change it after. When
the round is over the seed is shown, and anybody can compute the order again. docs/verifiable-deal.md has the
construction in full, test vectors, and a second implementation of a few lines.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace

from croupier.table.shuffling import shuffled

LABEL = "croupier verifiable deal 1"
SEED_BYTES = 32
LONGEST = 64
"""Characters of a contribution at most."""


def commitment(server_seed: str) -> str:
    """What is shown before: SHA-256 over the label, a line end, `commitment`, a line end, and the seed in hexadecimal.

    >>> commitment("00" * 32)[:16]
    '417ab2f765174d32'
    """
    return hashlib.sha256(f"{LABEL}\ncommitment\n{server_seed}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Pledge:
    """One deal that was committed to: its number at the table, the hidden seed, and what patrons added in order."""

    deal: int
    server_seed: str
    contributions: tuple[tuple[str, str], ...] = ()
    """Patron and text."""

    @property
    def commitment(self) -> str:
        return commitment(self.server_seed)

    def with_contribution(self, patron: str, text: str) -> Pledge:
        return replace(self, contributions=(*self.contributions, (patron, text)))

    def order(self) -> tuple[int, ...]:
        """The order of the cards, top card first."""
        return VerifiableShuffle(self).order()


class VerifiableShuffle:
    """The production shuffle over a stream that everybody can compute afterwards; a `ShuffleSource`."""

    def __init__(self, pledge: Pledge) -> None:
        self.name = f"verifiable deal {pledge.deal}"
        self._key = bytes.fromhex(pledge.server_seed)
        texts = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}\n" for _, text in pledge.contributions)
        self._message = f"{LABEL}\ndeal {pledge.deal}\n{texts}"
        self._block = 0
        self._left = b""

    def draw(self, count: int, /) -> bytes:
        """The next bytes of HMAC-SHA-256 under the seed, over deal, contributions and a counter of blocks."""
        while len(self._left) < count:
            message = f"{self._message}block {self._block}".encode()
            self._left += hmac.new(self._key, message, hashlib.sha256).digest()
            self._block += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def order(self) -> tuple[int, ...]:
        return shuffled(self.draw)
