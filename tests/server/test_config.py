"""Configuration from file, environment and options; one-sentence errors for bad values; TLS."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.client import Client, RequestFailed
from croupier.core.errors import InputError
from croupier.server.config import CONFIG_SECTIONS, CONFIG_VARIABLES, Config, load_config
from tests.server.processes import Process
from tests.server.servers import run_server

ROOT = Path(__file__).parents[2]
ALL_INTERFACES = ".".join("0000")


def write_config(folder: Path, text: str) -> Path:
    path = folder / "croupier.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_defaults_apply_without_settings() -> None:
    assert load_config(environment={}) == Config()


def test_the_environment_overrides_the_file_and_options_override_both(tmp_path: Path) -> None:
    path = write_config(
        tmp_path, 'port = 1\nfacility = "File"\n[clocks]\nbetting_seconds = 11\ndecision_seconds = 12\n'
    )
    environment = {"CROUPIER_PORT": "2", "CROUPIER_CLOCKS_DECISION_SECONDS": "22", "PATH": "/usr/bin"}
    config = load_config(path, environment, {"port": 3, "host": None})
    assert (config.port, config.facility, config.host) == (3, "File", "127.0.0.1")
    assert (config.clocks.betting_seconds, config.clocks.decision_seconds) == (11, 22)
    assert load_config(path, environment).port == 2
    assert load_config(path, {}).port == 1


def _other_value(value: Any, name: str) -> str:
    """Another valid value of a setting, as text."""
    special = {
        "log": "json",
        "on_time_out": "wait",
        "open": "pa-682a",
        "hosts": "pit.example, www.pit.example",
        "database": "postgresql://x/y",
        "host": ALL_INTERFACES,
        "starts_at_hour": "7",
        "body_bytes": "2048",
    }
    if name in special:
        return special[name]
    if isinstance(value, bool):
        return "false" if value else "true"
    return str(value + 1) if isinstance(value, int) else "something else"


# Certificate and key need matching files: see the TLS tests.
@pytest.mark.parametrize("variable", [name for name in CONFIG_VARIABLES if not name.endswith(("_CERTIFICATE", "_KEY"))])
def test_every_setting_works_from_the_environment_and_from_the_file(variable: str, tmp_path: Path) -> None:
    section = next((name for name in CONFIG_SECTIONS if variable.startswith(f"CROUPIER_{name.upper()}_")), "")
    name = variable.removeprefix("CROUPIER_").removeprefix(f"{section.upper()}_" if section else "").lower()
    default = getattr(getattr(Config(), section) if section else Config(), name)
    text = _other_value(default, name)
    from_environment = load_config(environment={variable: text})
    value = getattr(getattr(from_environment, section) if section else from_environment, name)
    assert value != default
    toml_value = text if isinstance(default, bool | int) else json.dumps([part.strip() for part in text.split(",")])
    toml_value = json.dumps(text) if isinstance(default, str) else toml_value
    path = write_config(tmp_path, f"{f'[{section}]' if section else ''}\n{name} = {toml_value}\n")
    assert load_config(path, {}) == from_environment


def test_guests_are_allowed_by_default_on_localhost_only() -> None:
    def are_guests_allowed(**options: str) -> bool:
        return load_config(environment={}, options=options).guests.allowed

    assert are_guests_allowed(host="127.0.0.1")
    assert are_guests_allowed(host="localhost")
    assert are_guests_allowed(host="::1")
    assert not are_guests_allowed(host=ALL_INTERFACES)
    assert not are_guests_allowed(host="192.0.2.1")
    assert not are_guests_allowed(host="pit.example")
    assert load_config(environment={"CROUPIER_GUESTS_ALLOWED": "yes", "CROUPIER_HOST": ALL_INTERFACES}).guests.allowed
    assert not load_config(environment={"CROUPIER_GUESTS_ALLOWED": "0"}).guests.allowed
    behind_proxy = {"CROUPIER_WEB_BEHIND_PROXY": "true", "CROUPIER_WEB_HOSTS": "pit.example"}
    assert not load_config(environment=behind_proxy).guests.allowed  # reachable from outside, by way of the proxy
    assert load_config(environment={**behind_proxy, "CROUPIER_GUESTS_ALLOWED": "yes"}).guests.allowed


BAD_FILES = {
    "port = 70000": "port: 70000 is not between 0 and 65535",
    "port = '80'": "port",
    "prot = 80": "prot",
    "log = 'xml'": "'xml' is not one of text, json",
    "open = ['pa-999']": "there is no edition 'pa-999'",
    "[clocks]\nbetting_seconds = 0": "clocks.betting_seconds: 0 is not between 1 and 3600",
    "[clocks]\non_time_out = 'guess'": "clocks.on_time_out: 'guess' is not one of fold, wait",
    "[clocks]\nsecond = 1": "second",
    "[clock]\nbetting_seconds = 10": "clock",
    "[guests]\nallowed = 'maybe'": "guests.allowed",
    "[guests]\nplay_money = -1": "guests.play_money",
    "[web]\ncertificate = 'nowhere.pem'": "TLS needs both",
    "[web]\ncertificate = 'nowhere.pem'\nkey = 'nowhere.key'": "there is no file nowhere.pem",
    "[web]\nhosts = 'pit.example'": "web.hosts",
    "[day]\nstarts_at_hour = 24": "day.starts_at_hour: 24 is not between 0 and 23",
    "port = ": "TOML",
    "port = 1\nport = 2": "TOML",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_file_gets_one_sentence_with_its_place(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        load_config(write_config(tmp_path, text), {})
    assert BAD_FILES[text].lower() in str(raised.value).lower()
    assert "\n" not in str(raised.value)


BAD_VARIABLES = {
    ("CROUPIER_PORT", "eighty"): "'eighty' is not a whole number",
    ("CROUPIER_PORT", "-1"): "-1 is not between 0 and 65535",
    ("CROUPIER_PORT", ""): "is not a whole number",
    ("CROUPIER_GUESTS_ALLOWED", "perhaps"): "'perhaps' is not true or false",
    ("CROUPIER_LOG", "xml"): "'xml' is not one of",
    ("CROUPIER_OPEN", "pa-682a,pa-999"): "there is no edition 'pa-999'",
    ("CROUPIER_PROT", "80"): "is not a setting; did you mean CROUPIER_PORT?",
    ("CROUPIER_CLOCKS_BETING_SECONDS", "80"): "did you mean CROUPIER_CLOCKS_BETTING_SECONDS?",
}


@pytest.mark.parametrize(("variable", "text"), BAD_VARIABLES)
def test_a_bad_variable_gets_one_sentence_with_its_name(variable: str, text: str) -> None:
    with pytest.raises(InputError, match=re.escape(BAD_VARIABLES[variable, text])) as raised:
        load_config(environment={variable: text})
    assert str(raised.value).startswith(variable)


def test_show_config_prints_everything_but_the_password(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in [section for section in os.environ if section.startswith("CROUPIER_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("CROUPIER_FACILITY", "The WatchedTable")
    assert main(["serve", "--show-config", "--database", "postgresql://dana:secret@db/pit", "--workers", "3"]) == 0
    output = capsys.readouterr().out
    settings = json.loads(output)
    assert "secret" not in output
    assert settings["database"] == "postgresql+psycopg://dana:***@db/pit"
    assert (settings["workers"], settings["facility"]) == (3, "The WatchedTable")
    assert {section for section in settings if section in CONFIG_SECTIONS} == set(CONFIG_SECTIONS)
    for section, section_type in CONFIG_SECTIONS.items():
        assert set(settings[section]) == {field_.name for field_ in fields(section_type)}


def run_refused(*options: str, environment: dict[str, str] | None = None) -> str:
    """Runs `croupier serve`, which must fail with exit code 2 and one sentence; returns the sentence."""
    command = [sys.executable, "-m", "croupier", "serve", *options]
    settings = {**os.environ, **(environment or {})}
    process = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, env=settings)
    assert process.returncode == 2, process
    assert not process.stdout
    (line,) = process.stderr.splitlines()
    assert line.startswith("croupier serve: ")
    return line


def test_a_server_that_cannot_start_says_why_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert "address already in use" in run_refused("--port", port, "--database", str(tmp_path / "x.db"))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--database", "postgresql://nobody@127.0.0.1:1/none"), "cannot be reached"),
        (("--database", "mysql://x/y"), "postgresql:// or sqlite:///"),
        (("--database", "new.db", "--host", "nowhere.invalid"), "cannot listen: "),
        (("--database", "broken.db"), "broken.db"),
    ],
)
def test_a_bad_setting_is_refused_in_one_sentence(
    options: tuple[str, ...],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.db").write_bytes(b"no database at all" * 1000)
    assert main(["serve", "--port", "0", *options]) == 2
    output = capsys.readouterr()
    assert not output.out
    (line,) = output.err.splitlines()
    assert line.startswith("croupier serve: ")
    assert reason in line


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A self-signed certificate for localhost, and its key."""
    if shutil.which("openssl") is None:
        pytest.fail("there is no openssl: `make test` installs it")
    folder = tmp_path_factory.mktemp("tls")
    key_path, certificate_path = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    options = [
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout",
        str(key_path),
        "-out",
        str(certificate_path),
    ]
    subprocess.run([*command, *options], check=True, capture_output=True)
    return certificate_path, key_path


def test_TLS_with_a_certificate(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    certificate_path, key_path = certificate
    settings = {
        "CROUPIER_WEB_CERTIFICATE": str(certificate_path),
        "CROUPIER_WEB_KEY": str(key_path),
        "CROUPIER_OPEN": "pa-682a",
    }
    process = Process(str(tmp_path / "house.db"), tmp_path, environment=settings, trusted=certificate_path)
    assert process.address.startswith("https://127.0.0.1:")
    trusted = ssl.create_default_context(cafile=str(certificate_path))
    with Client(process.address, ssl_context=trusted) as guest:
        guest.guest()
        (table,) = [summary["table"] for summary in guest.tables()]
        guest.sit(table, 1, chips=100_00)
        with guest.watch(table) as messages:
            assert next(iter(messages))["view"]["you"]["chips_cents"] == 100_00
    with Client(process.address) as untrusting, pytest.raises(Exception, match="certificate"):
        untrusting.tables()
    import http.client

    connection = http.client.HTTPSConnection("127.0.0.1", int(process.address.rpartition(":")[2]), context=trusted)
    connection.request("POST", "/api/guests", "{}", {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    connection.close()
    assert "Secure" in response.headers["Set-Cookie"]
    assert "max-age" in response.headers["Strict-Transport-Security"]
    assert process.stop() == 0
    process.assert_clean()


def test_a_bad_certificate_gets_one_sentence(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    certificate_path, _ = certificate
    settings = {"CROUPIER_WEB_CERTIFICATE": str(certificate_path), "CROUPIER_WEB_KEY": str(certificate_path)}
    message = run_refused("--port", "0", "--database", str(tmp_path / "x.db"), environment=settings)
    assert "do not match" in message


def test_cookies_origins_and_addresses_behind_a_proxy(tmp_path: Path) -> None:
    """A proxy terminates TLS: cookies are secure, origins are https, and the proxy names the client's address."""
    environment = {
        "CROUPIER_WEB_BEHIND_PROXY": "true",
        "CROUPIER_WEB_HOSTS": "pit.example",
        "CROUPIER_WEB_GUESTS_PER_MINUTE": "2",
        "CROUPIER_GUESTS_ALLOWED": "true",
        "CROUPIER_OPEN": "pa-682a",
    }
    config = load_config(environment=environment)
    with run_server(str(tmp_path / "house.db"), config) as server:
        import http.client

        def post_guest(address: str, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            sent_headers = {
                "Content-Type": "application/json",
                "Host": "pit.example",
                "X-Forwarded-For": address,
                **headers,
            }
            connection.request("POST", "/api/guests", "{}", sent_headers)
            response = connection.getresponse()
            response.read()
            connection.close()
            return response.status, response.headers.get("Set-Cookie", "")

        status, cookie = post_guest("192.0.2.1")
        assert status == 201
        assert "Secure" in cookie
        assert post_guest("192.0.2.1")[0] == 201
        assert post_guest("192.0.2.1")[0] == 429
        assert post_guest("10.9.8.7, 192.0.2.1")[0] == 429  # the client's own entry is not trusted
        assert post_guest("192.0.2.2")[0] == 201
        assert post_guest("192.0.2.3", Origin="https://pit.example")[0] == 201
        assert post_guest("192.0.2.3", Origin="http://pit.example")[0] == 403
        assert post_guest("192.0.2.3", Host="evil.example")[0] == 403


def test_an_administrator_can_read_the_settings_and_a_patron_cannot(tmp_path: Path) -> None:
    from croupier.table.model.roles import Role

    with run_server(str(tmp_path / "house.db")) as server:
        ada = server.add_person("Ada", Role.ADMINISTRATOR)
        settings = ada.get("/api/settings")
        assert set(settings) == {field_.name for field_ in fields(Config)}
        with pytest.raises(RequestFailed):
            server.add_person("Pat", Role.PATRON).get("/api/settings")


def test_the_guide_lists_every_setting_with_its_default() -> None:
    text = (ROOT / "docs" / "guides" / "server.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([a-z_.]+)` \| `([^`]*)` \|", text, flags=re.MULTILINE))
    defaults = Config()
    expected = {
        field_.name: getattr(defaults, field_.name) for field_ in fields(Config) if field_.name not in CONFIG_SECTIONS
    }
    for section, section_type in CONFIG_SECTIONS.items():
        expected |= {
            f"{section}.{field_.name}": getattr(getattr(defaults, section), field_.name)
            for field_ in fields(section_type)
        }
    assert listed == {name: json.dumps(value) for name, value in expected.items()}
