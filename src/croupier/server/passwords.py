"""Passwords: which are taken, and how they are hashed (argon2id) without stopping the rest or filling the memory."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.errors import Malformed
from croupier.server.errors import Refused
from croupier.server.names import folded

SHORTEST = 10
LONGEST = 256
AT_ONCE = 2
"""Hashes that are computed at the same time; each takes 64 MiB with the library's parameters."""
WAITING = 64
"""Requests that may wait for a hash; more are told to come back."""
_SHORTEST_NAME = 3
_FEWEST_CHARACTERS = 4
OBVIOUS = frozenset({
    "0123456789", "1234567890", "0987654321", "9876543210", "1234567891", "12345678910", "1q2w3e4r5t", "1qaz2wsx3edc",
    "qwertyuiop", "qwertyuiop123", "asdfghjkl123", "abcdefghij", "abcdefghijk", "abcd123456", "abc1234567",
    "password12", "password123", "password1234", "passwordpassword", "passw0rd123", "p@ssw0rd123", "mypassword",
    "changeme123", "changemenow", "letmein123", "letmeinnow", "welcome123", "welcome1234", "iloveyou123", "trustno1234",
    "administrator", "administrator1", "admin12345", "admin123456", "adminadmin", "secretsecret", "supersecret",
    "croupier12", "croupier123", "croupier1234", "croupiercroupier", "casino1234", "casinocasino", "blackjack1",
    "blackjack21", "jackpot777", "royalflush", "royalflush1", "fullhouse1", "straightflush", "fourofakind",
    "threeofakind", "pokerpoker", "pokerface1", "pokerface123", "fourcardpoker", "threecardpoker", "fourcardprime",
    "threecardprime", "cajunstud1",
})  # fmt: skip
"""What is tried first; compared without case."""


def require_password(password: str, name: str) -> str:
    """The password as it is hashed; refuses with `Malformed` one that is too short, too long or too easy."""
    try:
        password.encode()
    except UnicodeEncodeError:
        raise Malformed("password", "the password has half a character in it") from None
    password = prepared(password)
    if not SHORTEST <= len(password) <= LONGEST:
        raise Malformed("password", f"a password has {SHORTEST} to {LONGEST} characters")
    plain, who = folded(password), folded(name)
    if len(who) >= _SHORTEST_NAME and who in plain:
        raise Malformed("password", "a password must not contain the name")
    if plain in OBVIOUS or len(set(plain)) < _FEWEST_CHARACTERS:
        raise Malformed("password", "this password is among the first that anybody would try")
    return password


def prepared(password: str) -> str:
    """The same text for the same keys on every machine."""
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Hashes and checks, two at a time in threads of their own."""

    def __init__(self, hasher: PasswordHasher | None = None, *, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._hasher = hasher or PasswordHasher()
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._most = at_once + waiting
        self._asked = 0
        self._lock = Lock()
        self._nobody = self._hasher.hash("nobody has this one")

    async def hash(self, password: str) -> str:
        """The hash of a password that `require_password` has taken."""
        with self._turn():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._hasher.hash, password)

    async def fits(self, stored: str, password: str) -> bool:
        """Whether a password belongs to a hash. With an empty one the answer is no, after as much work."""
        with self._turn():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._check, stored, password)

    def outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    def _check(self, stored: str, password: str) -> bool:
        password = prepared(password)
        if len(password) > LONGEST:
            password, stored = "", ""
        try:
            given = password.encode()
        except UnicodeEncodeError:
            given, stored = b"", ""
        try:
            return self._hasher.verify(stored or self._nobody, given) and bool(stored)
        except (VerificationError, InvalidHashError):
            return False

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self._asked >= self._most:
                wait = {"Retry-After": "2"}
                raise Refused(503, "too many people sign in at this moment: try again", headers=wait)
            self._asked += 1
        try:
            yield
        finally:
            with self._lock:
                self._asked -= 1
