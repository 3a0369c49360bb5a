"""Configuration: file, environment, options, in that order; every wrong value one sentence with its place; TLS."""

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
from tests.server.table_services import serving

ROOT = Path(__file__).parents[2]
ANYWHERE = ".".join("0000")


def written(folder: Path, text: str) -> Path:
    path = folder / "croupier.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_said_is_the_usual() -> None:
    assert load_config(environment={}) == Config()


def test_the_environment_overrides_the_file_and_options_override_both(tmp_path: Path) -> None:
    path = written(tmp_path, 'port = 1\nfacility = "File"\n[clocks]\nbetting_seconds = 11\ndecision_seconds = 12\n')
    environment = {"CROUPIER_PORT": "2", "CROUPIER_CLOCKS_DECISION_SECONDS": "22", "PATH": "/usr/bin"}
    config = load_config(path, environment, {"port": 3, "host": None})
    assert (config.port, config.facility, config.host) == (3, "File", "127.0.0.1")
    assert (config.clocks.betting_seconds, config.clocks.decision_seconds) == (11, 22)
    assert load_config(path, environment).port == 2
    assert load_config(path, {}).port == 1


def _another(value: Any, name: str) -> str:
    """Something else that the same setting may be, as text."""
    special = {
        "log": "json",
        "on_time_out": "wait",
        "open": "pa-682a",
        "hosts": "pit.example, www.pit.example",
        "database": "postgresql://x/y",
        "host": ANYWHERE,
        "starts_at_hour": "7",
        "body_bytes": "2048",
    }
    if name in special:
        return special[name]
    if isinstance(value, bool):
        return "false" if value else "true"
    return str(value + 1) if isinstance(value, int) else "something else"


# The certificate and its key need files that fit: see the tests of TLS.
@pytest.mark.parametrize("variable", [name for name in CONFIG_VARIABLES if not name.endswith(("_CERTIFICATE", "_KEY"))])
def test_every_setting_can_be_set_by_the_environment_and_by_the_file(variable: str, tmp_path: Path) -> None:
    group = next((name for name in CONFIG_SECTIONS if variable.startswith(f"CROUPIER_{name.upper()}_")), "")
    name = variable.removeprefix("CROUPIER_").removeprefix(f"{group.upper()}_" if group else "").lower()
    usual = getattr(getattr(Config(), group) if group else Config(), name)
    text = _another(usual, name)
    by_environment = load_config(environment={variable: text})
    found = getattr(getattr(by_environment, group) if group else by_environment, name)
    assert found != usual
    said = text if isinstance(usual, bool | int) else json.dumps([part.strip() for part in text.split(",")])
    said = json.dumps(text) if isinstance(usual, str) else said
    path = written(tmp_path, f"{f'[{group}]' if group else ''}\n{name} = {said}\n")
    assert load_config(path, {}) == by_environment


def test_guests_are_at_home_on_this_machine_only() -> None:
    def allowed(**options: str) -> bool:
        return load_config(environment={}, options=options).guests.allowed

    assert allowed(host="127.0.0.1")
    assert allowed(host="localhost")
    assert allowed(host="::1")
    assert not allowed(host=ANYWHERE)
    assert not allowed(host="192.0.2.1")
    assert not allowed(host="pit.example")
    assert load_config(environment={"CROUPIER_GUESTS_ALLOWED": "yes", "CROUPIER_HOST": ANYWHERE}).guests.allowed
    assert not load_config(environment={"CROUPIER_GUESTS_ALLOWED": "0"}).guests.allowed


BAD_FILES = {
    "port = 70000": "port: 70000 is not from 0 to 65535",
    "port = '80'": "port",
    "prot = 80": "prot",
    "log = 'xml'": "'xml' is none of text, json",
    "open = ['pa-999']": "there is no edition 'pa-999'",
    "[clocks]\nbetting_seconds = 0": "clocks.betting_seconds: 0 is not from 1 to 3600",
    "[clocks]\non_time_out = 'guess'": "clocks.on_time_out: 'guess' is none of fold, wait",
    "[clocks]\nsecond = 1": "second",
    "[clock]\nbetting_seconds = 10": "clock",
    "[guests]\nallowed = 'maybe'": "guests.allowed",
    "[guests]\nplay_money = -1": "guests.play_money",
    "[web]\ncertificate = 'nowhere.pem'": "TLS needs both",
    "[web]\ncertificate = 'nowhere.pem'\nkey = 'nowhere.key'": "there is no file nowhere.pem",
    "[web]\nhosts = 'pit.example'": "web.hosts",
    "[day]\nstarts_at_hour = 24": "day.starts_at_hour: 24 is not from 0 to 23",
    "port = ": "TOML",
    "port = 1\nport = 2": "TOML",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_wrong_file_is_one_sentence_with_its_place(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as problem:
        load_config(written(tmp_path, text), {})
    assert BAD_FILES[text].lower() in str(problem.value).lower()
    assert "\n" not in str(problem.value)


BAD_VARIABLES = {
    ("CROUPIER_PORT", "eighty"): "'eighty' is not a whole number",
    ("CROUPIER_PORT", "-1"): "-1 is not from 0 to 65535",
    ("CROUPIER_PORT", ""): "is not a whole number",
    ("CROUPIER_GUESTS_ALLOWED", "perhaps"): "'perhaps' is not true or false",
    ("CROUPIER_LOG", "xml"): "'xml' is none of",
    ("CROUPIER_OPEN", "pa-682a,pa-999"): "there is no edition 'pa-999'",
    ("CROUPIER_PROT", "80"): "is not a setting; is it CROUPIER_PORT?",
    ("CROUPIER_CLOCKS_BETING_SECONDS", "80"): "is it CROUPIER_CLOCKS_BETTING_SECONDS?",
}


@pytest.mark.parametrize(("variable", "text"), BAD_VARIABLES)
def test_a_wrong_variable_is_one_sentence_with_its_name(variable: str, text: str) -> None:
    with pytest.raises(InputError, match=re.escape(BAD_VARIABLES[variable, text])) as problem:
        load_config(environment={variable: text})
    assert str(problem.value).startswith(variable)


def test_show_config_prints_everything_but_a_password(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in [name for name in os.environ if name.startswith("CROUPIER_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("CROUPIER_FACILITY", "The Pit")
    assert main(["serve", "--show-config", "--database", "postgresql://dana:secret@db/pit", "--workers", "3"]) == 0
    shown = capsys.readouterr().out
    said = json.loads(shown)
    assert "secret" not in shown
    assert said["database"] == "postgresql+psycopg://dana:***@db/pit"
    assert (said["workers"], said["facility"]) == (3, "The Pit")
    assert {name for name in said if name in CONFIG_SECTIONS} == set(CONFIG_SECTIONS)
    for name, kind in CONFIG_SECTIONS.items():
        assert set(said[name]) == {one.name for one in fields(kind)}


def refused(*options: str, environment: dict[str, str] | None = None) -> str:
    """What `croupier serve` says when it does not start: one sentence, exit code 2."""
    command = [sys.executable, "-m", "croupier", "serve", *options]
    settings = {**os.environ, **(environment or {})}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, env=settings)
    assert done.returncode == 2, done
    assert not done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("croupier serve: ")
    return line


def test_what_keeps_a_server_from_starting(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "address already in use" in refused("--port", port, "--database", str(tmp_path / "x.db"))
    assert "cannot be reached" in refused("--port", "0", "--database", "postgresql://nobody@127.0.0.1:1/none")
    assert "postgresql:// or sqlite:///" in refused("--port", "0", "--database", "mysql://x/y")
    assert "cannot listen there" in refused("--host", "nowhere.invalid", "--database", str(tmp_path / "x.db"))
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all" * 1000)
    assert "broken.db" in refused("--port", "0", "--database", str(broken))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that signs itself, for this machine."""
    if shutil.which("openssl") is None:
        pytest.fail("there is no openssl: `make test` installs it")
    folder = tmp_path_factory.mktemp("tls")
    key, made = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*command, *names], check=True, capture_output=True)
    return made, key


def test_TLS_by_a_certificate(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    made, key = certificate
    settings = {"CROUPIER_WEB_CERTIFICATE": str(made), "CROUPIER_WEB_KEY": str(key), "CROUPIER_OPEN": "pa-682a"}
    process = Process(str(tmp_path / "house.db"), tmp_path, environment=settings, trusted=made)
    assert process.address.startswith("https://127.0.0.1:")
    trusted = ssl.create_default_context(cafile=str(made))
    with Client(process.address, trusted=trusted) as guest:
        guest.guest()
        (table,) = [found["table"] for found in guest.tables()]
        guest.sit(table, 1, chips=100_00)
        with guest.watch(table) as messages:
            assert next(iter(messages))["view"]["you"]["chips_cents"] == 100_00
    with Client(process.address) as careful, pytest.raises(Exception, match="certificate"):
        careful.tables()
    import http.client

    connection = http.client.HTTPSConnection("127.0.0.1", int(process.address.rpartition(":")[2]), context=trusted)
    connection.request("POST", "/api/guests", "{}", {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "max-age" in answer.headers["Strict-Transport-Security"]
    assert process.stop() == 0
    process.assert_clean()


def test_a_wrong_certificate_is_one_sentence(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    made, _ = certificate
    settings = {"CROUPIER_WEB_CERTIFICATE": str(made), "CROUPIER_WEB_KEY": str(made)}
    said = refused("--port", "0", "--database", str(tmp_path / "x.db"), environment=settings)
    assert "do not go together" in said


def test_behind_a_proxy(tmp_path: Path) -> None:
    """A proxy ends TLS: cookies are for https, origins are, and the proxy says who asks."""
    environment = {
        "CROUPIER_WEB_BEHIND_PROXY": "true",
        "CROUPIER_WEB_HOSTS": "pit.example",
        "CROUPIER_WEB_GUESTS_PER_MINUTE": "2",
        "CROUPIER_OPEN": "pa-682a",
    }
    config = load_config(environment=environment)
    with serving(str(tmp_path / "house.db"), config) as server:
        import http.client

        def guest(address: str, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            sent = {"Content-Type": "application/json", "Host": "pit.example", "X-Forwarded-For": address, **headers}
            connection.request("POST", "/api/guests", "{}", sent)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            return answer.status, answer.headers.get("Set-Cookie", "")

        status, cookie = guest("192.0.2.1")
        assert status == 201
        assert "Secure" in cookie
        assert guest("192.0.2.1")[0] == 201
        assert guest("192.0.2.1")[0] == 429
        assert guest("10.9.8.7, 192.0.2.1")[0] == 429  # what the client wrote itself is not believed
        assert guest("192.0.2.2")[0] == 201
        assert guest("192.0.2.3", Origin="https://pit.example")[0] == 201
        assert guest("192.0.2.3", Origin="http://pit.example")[0] == 403
        assert guest("192.0.2.3", Host="evil.example")[0] == 403


def test_settings_that_the_server_shows_have_no_secrets(tmp_path: Path) -> None:
    from croupier.table.model.roles import Role

    with serving(str(tmp_path / "house.db")) as server:
        ada = server.person("Ada", Role.ADMINISTRATOR)
        said = ada.get("/api/settings")
        assert set(said) == {one.name for one in fields(Config)}
        with pytest.raises(RequestFailed):
            server.person("Pat", Role.PATRON).get("/api/settings")


def test_the_document_lists_every_setting_with_its_default() -> None:
    text = (ROOT / "docs" / "guides" / "server.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([a-z_.]+)` \| `([^`]*)` \|", text, flags=re.MULTILINE))
    usual = Config()
    expected = {one.name: getattr(usual, one.name) for one in fields(Config) if one.name not in CONFIG_SECTIONS}
    for group, kind in CONFIG_SECTIONS.items():
        expected |= {f"{group}.{one.name}": getattr(getattr(usual, group), one.name) for one in fields(kind)}
    assert listed == {name: json.dumps(value) for name, value in expected.items()}
