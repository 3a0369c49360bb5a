"""One-time codes as a second factor: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds.

The database has a nonce for each person; the secret is derived from it with a key in a file of its own. Whoever reads
the database alone learns no secret. Whoever reads both, or the memory of the server, learns all of them: the server
must know a secret to check a code.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import b32encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from croupier.core.errors import InputError

STEP_SECONDS = 30
DIGITS = 6
DRIFT_STEPS = 1
"""How many steps a code may be early or late: clocks differ, and typing takes time."""
SECRET_BYTES = 20
KEY_BYTES = 32
_CONTEXT = b"croupier second factor"


def hotp(secret: bytes, counter: int, *, digits: int = DIGITS) -> str:
    """The code of a counter (RFC 4226).

    >>> hotp(b"12345678901234567890", 1)
    '287082'
    """
    digest = hmac.digest(secret, counter.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(now: int) -> int:
    """The time step of a moment in milliseconds since 1970."""
    return now // (1_000 * STEP_SECONDS)


def matching_step(secret: bytes, code: str, now: int, *, after: int) -> int | None:
    """The time step whose code this is, within the drift and after the last step used; `None` if there is none."""
    digits = code.replace(" ", "")
    matches = [
        step
        for step in range(step_of(now) - DRIFT_STEPS, step_of(now) + DRIFT_STEPS + 1)
        if step > after and hmac.compare_digest(hotp(secret, step).encode(), digits.encode("utf-8", "replace"))
    ]
    return matches[0] if matches else None


def secret_text(secret: bytes) -> str:
    """The secret as people type it into an authenticator."""
    return b32encode(secret).decode().rstrip("=")


def otpauth_uri(secret: bytes, *, name: str, issuer: str) -> str:
    """The address that an authenticator opens."""
    label = f"{quote(issuer, safe='')}:{quote(name, safe='')}"
    values = f"secret={secret_text(secret)}&issuer={quote(issuer, safe='')}"
    return f"otpauth://totp/{label}?{values}&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}"


class SecretDeriver:
    """Derives secrets from the key of the house, which is loaded when it is first needed."""

    def __init__(self, load_key: Callable[[], bytes]) -> None:
        self._load_key = load_key
        self._key = b""

    @staticmethod
    def new_nonce() -> str:
        """A nonce for the database."""
        return secrets.token_hex(16)

    def secret(self, nonce: str) -> bytes:
        """The secret of a nonce."""
        self._key = self._key or self._load_key()
        return hmac.digest(self._key, _CONTEXT + bytes.fromhex(nonce), "sha256")[:SECRET_BYTES]


def load_key_file(path: Path) -> bytes:
    """The key in a file that only its owner can read; the file is created if it is missing."""
    if not path.exists():
        _create_key_file(path)
    try:
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise InputError(str(path), "is not a readable key of the second factor") from error
    if len(key) < KEY_BYTES:
        raise InputError(str(path), f"the key of the second factor has fewer than {KEY_BYTES} bytes")
    return key


def _create_key_file(path: Path) -> None:
    """Creates a key; of two processes that do so at once, the first one's key counts, and it is never read in part."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(0o600)
        draft.write_text(secrets.token_hex(KEY_BYTES) + "\n")
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    except OSError as error:
        raise InputError(str(path), f"the key of the second factor cannot be written: {error.strerror}") from error
