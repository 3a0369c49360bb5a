"""Commitments of verifiable deals (RNG-7): a committed seed and patrons' contributions fix the order of the cards.

Before a shuffle the house draws a server seed of 32 bytes and publishes its commitment. Until the shuffle patrons may
contribute texts. The order is then fixed: nobody knows it before the last text, and nobody can change it afterwards.
When the round is over the seed is revealed, and anybody can recompute the order.
docs/guides/verifiable-deal.md has the full construction, test vectors, and a second, short implementation.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

from croupier.core.dataclass import dataclass
from croupier.table.procedure.shuffle import shuffle_deck

LABEL = "croupier verifiable deal 1"
SEED_BYTES = 32
MAX_CONTRIBUTION_LENGTH = 64
"""In characters."""


def commitment(server_seed: str) -> str:
    """The published commitment: SHA-256 of the label, `commitment` and the seed in hexadecimal, one on each line.

    >>> commitment("00" * 32)[:16]
    '417ab2f765174d32'
    """
    return hashlib.sha256(f"{LABEL}\ncommitment\n{server_seed}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class DealCommitment:
    """A deal that the house committed to: its number, the hidden seed, and the contributions in order."""

    deal: int
    server_seed: str
    contributions: tuple[tuple[str, str], ...] = ()
    """Patron and text of each."""

    @property
    def commitment(self) -> str:
        return commitment(self.server_seed)

    def with_contribution(self, patron: str, text: str) -> DealCommitment:
        return replace(self, contributions=(*self.contributions, (patron, text)))

    def order(self) -> tuple[int, ...]:
        """The order of the cards, top card first."""
        return VerifiableShuffle(self).order()


class VerifiableShuffle:
    """A `ShuffleSource`: the production shuffle over a stream that anybody can recompute afterwards."""

    def __init__(self, deal: DealCommitment) -> None:
        self.name = f"verifiable deal {deal.deal}"
        self._key = bytes.fromhex(deal.server_seed)
        texts = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}\n" for _, text in deal.contributions)
        self._message = f"{LABEL}\ndeal {deal.deal}\n{texts}"
        self._block = 0
        self._buffer = b""

    def draw(self, count: int, /) -> bytes:
        """The next bytes of HMAC-SHA-256 under the seed, over deal, contributions and a counter of blocks."""
        while len(self._buffer) < count:
            message = f"{self._message}block {self._block}".encode()
            self._buffer += hmac.new(self._key, message, hashlib.sha256).digest()
            self._block += 1
        drawn, self._buffer = self._buffer[:count], self._buffer[count:]
        return drawn

    def order(self) -> tuple[int, ...]:
        return shuffle_deck(self.draw)
