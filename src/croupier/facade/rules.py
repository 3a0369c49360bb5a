"""Editions and Rules Submissions: `edition`, `editions` and `check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.core.dataclass import dataclass
from croupier.facade.frames import Tabular
from croupier.facade.sources import EditionSource, Source, read_edition, read_source
from croupier.regulations import Edition, readable_editions

if TYPE_CHECKING:
    from croupier.submissions import Problem


def edition(name: EditionSource) -> Edition:
    """The edition that a name, a chapter, a title or the file of an added game means.

    >>> import croupier
    >>> croupier.edition("682a").title
    'Four Card Prime'
    >>> croupier.edition("Cajun Stud").name
    'pa-683a'

    Raises `InputError` for an unknown name, and for a title of several editions.
    """
    return read_edition(name).edition


@dataclass(frozen=True, slots=True)
class EditionSummary:
    """An edition with its wagers and elections."""

    edition: str
    game: str
    title: str
    wagers: tuple[str, ...]
    elections: Mapping[str, tuple[str, ...]]

    def to_dict(self) -> dict[str, Any]:
        """The entry that `croupier editions --json` prints."""
        return {
            "edition": self.edition,
            "game": self.game,
            "title": self.title,
            "wagers": list(self.wagers),
            "elections": {name: list(choices) for name, choices in self.elections.items()},
        }


@dataclass(frozen=True, slots=True)
class Editions(Tabular):
    """Every edition, in order; works like a tuple."""

    summaries: tuple[EditionSummary, ...]

    def __iter__(self) -> Iterator[EditionSummary]:
        return iter(self.summaries)

    def __len__(self) -> int:
        return len(self.summaries)

    def __getitem__(self, number: int) -> EditionSummary:
        return self.summaries[number]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "edition": summary.edition,
                "title": summary.title,
                "wagers": ", ".join(summary.wagers),
                "elections": ", ".join(summary.elections),
            }
            for summary in self.summaries
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """The list that `croupier editions --json` prints."""
        return [summary.to_dict() for summary in self.summaries]


def editions() -> Editions:
    """Every edition, the added ones included.

    >>> import croupier
    >>> [summary.edition for summary in croupier.editions()][:3]
    ['pa-682a', 'pa-682a-proposed', 'pa-683a']
    """
    return Editions(tuple(summarize_edition(rules) for rules in readable_editions()))


def summarize_edition(rules: Edition) -> EditionSummary:
    """The summary of one edition."""
    return EditionSummary(
        rules.name,
        rules.game,
        rules.title,
        tuple(rules.wagers),
        {name: tuple(election.choices) for name, election in rules.elections.items()},
    )


@dataclass(frozen=True, slots=True)
class Check(Tabular):
    """Whether a Rules Submission is valid, with its problems, and warnings that do not make it invalid."""

    valid: bool
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"kind": kind, "key": problem.key, "clause": problem.clause, "message": problem.message}
            for kind, listed in (("problem", self.problems), ("warning", self.warnings))
            for problem in listed
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier check --json` prints."""
        problems, warnings = (
            [{"clause": problem.clause, "message": problem.message, "key": problem.key} for problem in listed]
            for listed in (self.problems, self.warnings)
        )
        return {"valid": self.valid, "problems": problems, "warnings": warnings}


def check(source: Source, *, warnings: bool = True) -> Check:
    """Checks a Rules Submission, and lists every problem with its clause.

    >>> import croupier
    >>> checked = croupier.check({"edition": "pa-682a"}, warnings=False)
    >>> checked.valid, checked.problems[0].key
    (False, 'operator')

    Warnings about readings need an exact analysis; `warnings=False` leaves all of them out. Raises `InputError` for a
    source that is not TOML.
    """
    from croupier.submissions.checks import check_data

    data, file = read_source(source)
    problems = tuple(check_data(data, file))
    if not warnings:
        return Check(not problems, problems, ())
    from croupier.analysis.submission_warnings import warnings_of_data

    return Check(not problems, problems, tuple(warnings_of_data(data, file)))
