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

from croupier.core.errors import InputError
from croupier.server.accounts.names import fold_name
from croupier.server.errors import HttpError

MIN_PASSWORD_LENGTH = 10
MAX_PASSWORD_LENGTH = 256
CONCURRENT_HASHES = 2
"""Hashes that are computed at the same time; each takes 64 MiB with the library's parameters."""
MAX_WAITING_HASHES = 64
"""Requests that may wait for a hash; more are told to come back."""
_MIN_NAME_LENGTH = 3
_MIN_DISTINCT_CHARACTERS = 4
COMMON_PASSWORDS = frozenset({
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
    """The password as it is hashed; refuses with `InputError` one that is too short, too long or too easy."""
    try:
        password.encode()
    except UnicodeEncodeError:
        raise InputError("password", "the password has half a character in it") from None
    password = normalize_password(password)
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        raise InputError("password", f"a password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters")
    plain, who = fold_name(password), fold_name(name)
    if len(who) >= _MIN_NAME_LENGTH and who in plain:
        raise InputError("password", "a password must not contain the name")
    if plain in COMMON_PASSWORDS or len(set(plain)) < _MIN_DISTINCT_CHARACTERS:
        raise InputError("password", "this password is among the first that anybody would try")
    return password


def normalize_password(password: str) -> str:
    """The same text for the same keys on every machine."""
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Hashes and checks, two at a time in threads of their own."""

    def __init__(
        self,
        hasher: PasswordHasher | None = None,
        *,
        at_once: int = CONCURRENT_HASHES,
        waiting: int = MAX_WAITING_HASHES,
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._most = at_once + waiting
        self._asked = 0
        self._lock = Lock()
        self._nobody = self._hasher.hash("nobody has this one")

    async def hash(self, password: str) -> str:
        """The hash of a password that `require_password` has taken."""
        with self._reserve_slot():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._hasher.hash, password)

    async def verify(self, stored: str, password: str) -> bool:
        """Whether a password belongs to a hash. With an empty one the answer is no, after as much work."""
        with self._reserve_slot():
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._check, stored, password)

    def needs_rehash(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    def _check(self, stored: str, password: str) -> bool:
        password = normalize_password(password)
        if len(password) > MAX_PASSWORD_LENGTH:
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
    def _reserve_slot(self) -> Iterator[None]:
        with self._lock:
            if self._asked >= self._most:
                wait = {"Retry-After": "2"}
                raise HttpError(503, "too many people sign in at this moment: try again", headers=wait)
            self._asked += 1
        try:
            yield
        finally:
            with self._lock:
                self._asked -= 1
