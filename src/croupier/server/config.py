"""Server configuration: a TOML file, overridden by environment variables, overridden by command-line options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any, get_type_hints

from croupier.core.disk_cache import SWITCH as CACHE_SWITCH
from croupier.core.errors import InputError
from croupier.core.toml_reader import Section, read_toml
from croupier.plugins.discovery import VARIABLE
from croupier.regulations import is_edition, unknown_edition_message

VARIABLE_PREFIX = "CROUPIER_"
"""Prefix of environment variables: CROUPIER_PORT, CROUPIER_CLOCKS_BETTING_SECONDS."""
ON_TIME_OUT = ("fold", "wait")


@dataclass(frozen=True, slots=True)
class TimerSettings:
    """How long patrons have to act, and what happens if they do not decide in time (AMB-57)."""

    betting_seconds: int = 30
    decision_seconds: int = 30
    on_time_out: str = "fold"
    """At an electronic table: `fold` folds as the regulation prescribes, `wait` leaves it to a floorperson."""
    idle_minutes: int = 15
    """Idle timeout of a patron, who then leaves between rounds with their chips on their account; 0 means never."""


@dataclass(frozen=True, slots=True)
class GuestSettings:
    """Play without an account."""

    allowed: bool = True
    play_money: int = 1_000_00
    """In cents, for each guest."""
    most: int = 10_000
    """How many guests may be signed in at the same time."""


@dataclass(frozen=True, slots=True)
class SignInSettings:
    """Sessions and lockout."""

    failures: int = 5
    lock_minutes: int = 15
    staff_idle_minutes: int = 15
    staff_hours: int = 10
    patron_idle_minutes: int = 120
    patron_hours: int = 12
    registration: bool = False
    """Whether patrons may open accounts themselves."""
    second_factor: bool = False
    """Whether staff must have a second factor (TOTP)."""
    key_file: str = ""
    """The key from which the secrets of second factors are derived; empty for a file beside the default database."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Network: addresses, TLS, and limits on requests and connections."""

    hosts: tuple[str, ...] = ()
    """Host names of the server besides its address, for the check of Host and Origin headers."""
    behind_proxy: bool = False
    """Whether a proxy terminates TLS and forwards the address of the client."""
    certificate: str = ""
    key: str = ""
    allow_plain_http: bool = False
    """Whether other machines may connect without TLS, on this server or a proxy: passwords can be read on the way."""
    body_bytes: int = 65_536
    body_seconds: int = 10
    head_bytes: int = 65_536
    head_seconds: int = 10
    connections: int = 1_000
    """Open connections of one process."""
    connections_per_address: int = 500
    """Open connections from one address; 0 means no limit. Ignored behind a proxy: all connections come from it."""
    requests_per_second: int = 200
    """Per address and per person; 0 means no limit."""
    commands_per_second: int = 50
    """Per person, over all tables; 0 means no limit. Somebody who plays seven seats at each of seven tables sends 294
    commands a round (four wagers, ready and a decision per seat), in six seconds at the least: faster than anyone can
    click."""
    websockets_per_person: int = 20
    websockets_per_address: int = 200
    """For clients that are not signed in."""
    sign_ins_per_minute: int = 10
    guests_per_minute: int = 20


@dataclass(frozen=True, slots=True)
class GamingDaySettings:
    """The gaming day, and how long records are retained."""

    starts_at_hour: int = 6
    utc_offset_minutes: int = 0
    play_years: int = 10
    submission_years: int = 5
    archive_after_days: int = 400
    archive_folder: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """A URL or the path of an SQLite file; empty for the default file."""
    allow_world_readable: bool = False
    """Whether to start although every user of this machine can read the database file or the TLS key."""
    check_at_start: bool = True
    """Whether the file, the heads of the hash chains and the ledgers are checked before the server starts."""
    workers: int = 1
    facility: str = "Croupier"
    """The name of the operator, as printed on layouts."""
    log: str = "text"
    """`text` for people, `json` for programs."""
    play_money_only: bool = True
    """Whether there is no real money, so that one person may appoint staff alone."""
    advice: bool = True
    """Whether patrons may ask for the best choice."""
    open: tuple[str, ...] = ()
    """Editions that get a play-money table if guests are allowed; empty for all editions in force."""
    clocks: TimerSettings = field(default_factory=TimerSettings)
    guests: GuestSettings = field(default_factory=GuestSettings)
    sign_in: SignInSettings = field(default_factory=SignInSettings)
    web: WebSettings = field(default_factory=WebSettings)
    day: GamingDaySettings = field(default_factory=GamingDaySettings)

    @property
    def is_local(self) -> bool:
        """Whether the server is reachable only from this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def tls(self) -> bool:
        """Whether the server itself terminates TLS."""
        return bool(self.web.certificate)

    @property
    def secure(self) -> bool:
        """Whether browsers connect with HTTPS."""
        return self.tls or self.web.behind_proxy


CONFIG_SECTIONS: Mapping[str, type] = {
    "clocks": TimerSettings,
    "guests": GuestSettings,
    "sign_in": SignInSettings,
    "web": WebSettings,
    "day": GamingDaySettings,
}
CONFIG_VARIABLES = tuple(
    f"{VARIABLE_PREFIX}{prefix}{setting.name}".upper()
    for prefix, kind in (("", Config), *((f"{name}_", kind) for name, kind in CONFIG_SECTIONS.items()))
    for setting in fields(kind)
    if setting.name not in CONFIG_SECTIONS
)
"""Every environment variable that is a setting."""
_OTHER_VARIABLES = ("CROUPIER_BENCH_FOLDER", CACHE_SWITCH, VARIABLE)
"""Variables of the program that are not settings of the server."""
_BOUNDS = {
    "port": (0, 65_535),
    "workers": (1, 64),
    "betting_seconds": (1, 3_600),
    "decision_seconds": (1, 3_600),
    "idle_minutes": (0, 10_000),
    "play_money": (1, 100_000_000_00),
    "most": (1, 1_000_000),
    "failures": (1, 1_000),
    "lock_minutes": (1, 100_000),
    "staff_idle_minutes": (1, 100_000),
    "staff_hours": (1, 10_000),
    "patron_idle_minutes": (1, 100_000),
    "patron_hours": (1, 10_000),
    "body_bytes": (1_024, 10_000_000),
    "body_seconds": (1, 600),
    "head_bytes": (1_024, 1_000_000),
    "head_seconds": (1, 600),
    "connections": (1, 1_000_000),
    "connections_per_address": (0, 1_000_000),
    "requests_per_second": (0, 1_000_000),
    "commands_per_second": (0, 1_000_000),
    "websockets_per_person": (1, 1_000_000),
    "websockets_per_address": (1, 1_000_000),
    "sign_ins_per_minute": (1, 1_000_000),
    "guests_per_minute": (1, 1_000_000),
    "starts_at_hour": (0, 23),
    "utc_offset_minutes": (-840, 840),
    "play_years": (1, 100),
    "submission_years": (1, 100),
    "archive_after_days": (1, 100_000),
}
_CHOICES = {"on_time_out": ON_TIME_OUT, "log": ("text", "json")}


def load_config(
    path: Path | None = None,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Config:
    """Loads the configuration; refuses an unknown key or an invalid value and says where it is.

    Guests are allowed by default, and there is play money only, if the server is reachable only from this machine: not
    behind a proxy.
    """
    config, explicit = Config(), set[str]()
    if path is not None:
        root = Section(read_toml(path), str(path))
        config = _from_file(root, explicit)
    config = _from_environment(config, os.environ if environment is None else environment, explicit)
    config = replace(config, **{name: value for name, value in (options or {}).items() if value is not None})
    is_private = config.is_local and not config.web.behind_proxy
    if "guests.allowed" not in explicit:
        config = replace(config, guests=replace(config.guests, allowed=is_private))
    if "play_money_only" not in explicit:
        config = replace(config, play_money_only=is_private)
    _require_consistency(config)
    return config


def _from_file(root: Section, explicit: set[str]) -> Config:
    values = _read_section(root, Config, explicit, "")
    for name, kind in CONFIG_SECTIONS.items():
        section = root.section(name)
        values[name] = kind(**_read_section(section, kind, explicit, f"{name}."))
        section.close()
    root.close()
    return Config(**values)


def _read_section(section: Section, kind: type, explicit: set[str], prefix: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for name in (setting.name for setting in fields(kind)):
        hint = hints[name]
        if name in CONFIG_SECTIONS or name not in section:
            continue
        explicit.add(f"{prefix}{name}")
        if hint is int:
            values[name] = section.integer(name)
        elif hint is bool:
            values[name] = section.boolean(name)
        elif hint is str:
            values[name] = section.text(name)
        else:
            values[name] = tuple(section.texts(name))
        _require_value(f"{section.file}, {section.key(name)}", name, values[name])
    return values


def _from_environment(config: Config, environment: Mapping[str, str], explicit: set[str]) -> Config:
    changes = _read_environment(Config, environment, VARIABLE_PREFIX, explicit, "")
    for group, kind in CONFIG_SECTIONS.items():
        values = _read_environment(kind, environment, f"{VARIABLE_PREFIX}{group.upper()}_", explicit, f"{group}.")
        if values:
            changes[group] = replace(getattr(config, group), **values)
    for variable in sorted(environment):
        if variable.startswith(VARIABLE_PREFIX) and variable not in (*CONFIG_VARIABLES, *_OTHER_VARIABLES):
            similar = get_close_matches(variable, CONFIG_VARIABLES, n=1)
            raise InputError(variable, "is not a setting" + (f"; did you mean {similar[0]}?" if similar else ""))
    return replace(config, **changes)


def _read_environment(
    kind: Any, environment: Mapping[str, str], prefix: str, explicit: set[str], place: str
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        variable = f"{prefix}{name.upper()}"
        if name in CONFIG_SECTIONS or variable not in environment:
            continue
        explicit.add(f"{place}{name}")
        values[name] = _parse_value(variable, environment[variable], hint)
        _require_value(variable, name, values[name])
    return values


def _parse_value(variable: str, text: str, hint: Any) -> Any:
    if hint is int:
        try:
            return int(text)
        except ValueError as error:
            raise InputError(variable, f"{text!r} is not a whole number") from error
    if hint is bool:
        if text.lower() not in ("true", "false", "1", "0", "yes", "no"):
            raise InputError(variable, f"{text!r} is not true or false")
        return text.lower() in ("true", "1", "yes")
    return text if hint is str else tuple(part.strip() for part in text.split(",") if part.strip())


def _require_value(place: str, name: str, value: Any) -> None:
    if name in _BOUNDS and not _BOUNDS[name][0] <= value <= _BOUNDS[name][1]:
        minimum, maximum = _BOUNDS[name]
        raise InputError(place, f"{value} is not between {minimum} and {maximum}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise InputError(place, f"{value!r} is not one of {', '.join(_CHOICES[name])}")
    if name == "open":
        for edition in value:
            if not is_edition(edition):
                raise InputError(place, unknown_edition_message(edition))


def _require_consistency(config: Config) -> None:
    if bool(config.web.certificate) != bool(config.web.key):
        raise InputError("web", "TLS needs both a certificate and its key")
    for name in (config.web.certificate, config.web.key):
        if name and not Path(name).is_file():
            raise InputError("web", f"there is no file {name}")
    if config.tls:
        _require_certificate(config.web)
    for name, value in (("port", config.port), ("workers", config.workers)):
        _require_value(name, name, value)


def _require_certificate(web: WebSettings) -> None:
    import ssl

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(web.certificate, web.key)
    except (OSError, ValueError) as error:
        reason = "cannot be read or do not match"
        raise InputError("web", f"certificate {web.certificate} and key {web.key} {reason}") from error
