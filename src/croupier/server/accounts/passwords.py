"""Password rules, and hashing (argon2id) in a small thread pool that bounds memory use."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from secrets import token_bytes
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from croupier.core.errors import InputError
from croupier.server.accounts.names import fold_name, name_skeleton
from croupier.server.errors import HttpError

MIN_PASSWORD_LENGTH = 10
MAX_PASSWORD_LENGTH = 256
CONCURRENT_HASHES = 2
"""Hashes computed at the same time; each takes 64 MiB with the library's parameters."""
MAX_WAITING_HASHES = 64
"""Requests that may wait for a hash; more are refused with 503."""
_MIN_NAME_LENGTH = 3
MIN_GUESSES = 10**9
"""How many guesses a password must withstand by the estimate of zxcvbn, which knows common passwords, names, words,
dates, keyboard patterns and their usual substitutions."""
_ESTIMATED_CHARACTERS = 72
"""The estimate reads this many characters: its time grows with the square of them."""
TRADE_WORDS = (
    "croupier", "casino", "poker", "blackjack", "baccarat", "roulette", "jackpot", "royal", "flush", "royalflush",
    "straight", "straightflush", "fullhouse", "pokerface", "dealer", "floorperson", "shift", "manager", "accounting",
    "surveillance", "regulator", "administrator", "pit", "cage", "chips", "prime", "fourcardprime", "threecardprime",
    "cajunstud", "fourcardpoker", "threecardpoker", "fourofakind", "threeofakind", "allin",
)  # fmt: skip
"""Words that somebody who attacks a casino tries first."""


def require_password(password: str, name: str) -> str:
    """The password in normalized form; raises `InputError` if it is too short, too long or too easy to guess.

    May take a tenth of a second: coroutines call it in a thread.
    """
    try:
        password.encode()
    except UnicodeEncodeError:
        raise InputError("password", "the password contains an invalid character") from None
    password = normalize_password(password)
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        raise InputError("password", f"a password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters")
    folded_password, folded_name = fold_name(password), fold_name(name)
    parts = {folded_name, *re.findall(r"\w+", folded_name)}
    if any(len(part) >= _MIN_NAME_LENGTH and part in folded_password for part in parts):
        raise InputError("password", "a password must not contain the name")
    if estimate_guesses(password, [*sorted(parts), folded_name[::-1], name_skeleton(name)]) < MIN_GUESSES:
        raise InputError("password", "this password is too easy to guess: use several unrelated words")
    return password


def estimate_guesses(password: str, known_words: Sequence[str] = ()) -> int:
    """About how many guesses an attacker needs who knows common passwords, the trade's words and `known_words`."""
    from zxcvbn import zxcvbn  # imported here because its word lists take a moment to read

    words = [word for word in (*known_words, *TRADE_WORDS) if word]
    return int(zxcvbn(password[:_ESTIMATED_CHARACTERS], user_inputs=words)["guesses"])


def normalize_password(password: str) -> str:
    """Unicode-normalized, so that the same keystrokes match on every device."""
    return unicodedata.normalize("NFKC", password)


def _random_hash(hasher: PasswordHasher) -> str:
    """A hash of no password, with the hasher's parameters; takes as long to verify as any other."""
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        b64encode(token_bytes(length)).decode().rstrip("=") for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"


class Passwords:
    """Hashes and verifies passwords in a thread pool."""

    def __init__(
        self,
        hasher: PasswordHasher | None = None,
        *,
        concurrent: int = CONCURRENT_HASHES,
        max_waiting: int = MAX_WAITING_HASHES,
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._pool = ThreadPoolExecutor(concurrent, thread_name_prefix="passwords")
        self._max_pending = concurrent + max_waiting
        self._pending = 0
        self._lock = Lock()
        self._dummy_hash = _random_hash(self._hasher)

    async def hash(self, password: str) -> str:
        """Hashes a password that `require_password` has accepted."""
        with self._reserve_slot():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._hasher.hash, password)

    async def verify(self, stored: str, password: str) -> bool:
        """Whether a password matches a hash. An empty hash never matches, but takes as long to verify."""
        with self._reserve_slot():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._check, stored, password)

    def needs_rehash(self, stored: str) -> bool:
        """Whether a hash was computed with outdated parameters."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Stops the threads."""
        self._pool.shutdown()

    def _check(self, stored: str, password: str) -> bool:
        password = normalize_password(password)
        if len(password) > MAX_PASSWORD_LENGTH:
            password, stored = "", ""
        try:
            candidate = password.encode()
        except UnicodeEncodeError:
            candidate, stored = b"", ""
        try:
            return self._hasher.verify(stored or self._dummy_hash, candidate) and bool(stored)
        except (VerificationError, InvalidHashError):
            return False

    @contextmanager
    def _reserve_slot(self) -> Iterator[None]:
        with self._lock:
            if self._pending >= self._max_pending:
                retry = {"Retry-After": "2"}
                raise HttpError(503, "too many people are signing in: try again", headers=retry)
            self._pending += 1
        try:
            yield
        finally:
            with self._lock:
                self._pending -= 1
