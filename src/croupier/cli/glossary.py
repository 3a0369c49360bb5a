"""`croupier glossary`: the terms of the project, from the glossary of the documentation."""

from __future__ import annotations

import argparse
import re
from importlib import resources
from pathlib import Path

from croupier.cli.output import print_json, print_paragraph
from croupier.core.errors import NotFound
from croupier.core.suggestions import did_you_mean

_ENTRY = re.compile(r"^- \*\*(?P<term>[^*]+)\*\*: (?P<text>.*?)(?=^- \*\*|^#|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def read_glossary() -> dict[str, str]:
    """Every term with its explanation: from the installed package, or from the documents of a checkout."""
    installed = resources.files("croupier") / "glossary.md"
    checkout = Path(__file__).parents[3] / "docs" / "glossary.md"
    text = (installed if installed.is_file() else checkout).read_text(encoding="utf-8")
    return {match["term"]: _plain_text(match["text"]) for match in _ENTRY.finditer(text)}


def _plain_text(markdown: str) -> str:
    """The text of an entry on one line, without links and emphasis."""
    return " ".join(_LINK.sub(r"\1", markdown).replace("*", "").replace("`", "").split())


def add_glossary_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="*", metavar="WORD", help="a term, or words to look for; without it, every term")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_glossary(arguments: argparse.Namespace) -> int:
    glossary, word = read_glossary(), " ".join(arguments.word)
    terms = _matching_terms(glossary, word)
    if not terms:
        raise NotFound(word, f"is not a term of the glossary{did_you_mean(word, glossary)}")
    if arguments.json:
        print_json([{"term": term, "meaning": glossary[term]} for term in terms])
        return 0
    if not word:
        print_paragraph(", ".join(terms))
        print_paragraph("croupier glossary WORD explains one of them.")
        return 0
    for term in terms:
        print_paragraph(glossary[term], indent="  ", first_indent=f"{term}: ")
    return 0


def _matching_terms(glossary: dict[str, str], word: str) -> list[str]:
    """The term itself; otherwise terms that contain the word; otherwise terms whose explanation does."""
    key = word.lower()
    stems = {key, key.removesuffix("s"), key.removesuffix("es")}
    exact = [term for term in glossary if word and term.lower() in stems]
    in_name = [term for term in glossary if key in term.lower()]
    in_text = [term for term, text in glossary.items() if key in text.lower()]
    return exact or in_name or in_text
