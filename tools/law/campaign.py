"""The campaign: breaks every clause in scope, and keeps which test noticed."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.regulations.coverage import ClauseCoverage
from croupier.regulations.evidence import EVIDENCE, SourceTree, read_evidence
from croupier.regulations.rule_paths import rule_digests
from tools.law.mutations import ROOT, Mutation, clauses_in_scope, mutations_of
from tools.law.runner import Job, Outcome, run_jobs

Entry = dict[str, Any]


def key_of(coverage: ClauseCoverage) -> str:
    """The key of a clause in the evidence."""
    return f"{coverage.clause.document} {coverage.clause.clause}"


@dataclass(frozen=True)
class Trial:
    """One mutation of one clause, with the tests that claim the clause."""

    key: str
    mutation: Mutation
    tests: tuple[str, ...]
    """Test functions, each with the claim that leads to it."""
    claims: Mapping[str, str]

    @property
    def job(self) -> Job:
        return Job(self.mutation.document, self.mutation.clause, self.tests, self.mutation.apply)


class Campaign:
    """The clauses to break, the evidence so far, and the digests that it rests on."""

    def __init__(self, *, children: int, seconds: float) -> None:
        self.children, self.seconds = children, seconds
        self.tree, self.digests = SourceTree(ROOT), rule_digests(ROOT)
        self.entries: dict[str, Entry] = {key: dict(entry) for key, entry in read_evidence(ROOT).items()}
        self.scope = {key_of(each): each for each in clauses_in_scope()}

    def trials(self, keys: Iterable[str]) -> list[Trial]:
        """Every mutation of the clauses that some test claims."""
        trials: list[Trial] = []
        for key in keys:
            coverage = self.scope[key]
            claims = {test: claim for claim in coverage.tests for test in self.tree.tests_of_claim(claim)}
            mutations = mutations_of(coverage.clause.document, coverage.clause.clause)
            trials += [Trial(key, mutation, tuple(claims), claims) for mutation in mutations]
        return trials

    def is_done(self, key: str) -> bool:
        """Whether a clause has a fresh entry with all of its mutations, in which every one was noticed."""
        coverage, entry = self.scope[key], self.entries.get(key)
        if entry is None or not self.tree.is_fresh(entry, coverage.clause.clause, self._rests_on(key), coverage.tests):
            return False
        mutations = mutations_of(coverage.clause.document, coverage.clause.clause)
        return set(entry["mutations"]) == {mutation.description for mutation in mutations}

    def _rests_on(self, key: str) -> str:
        document, _, clause = key.partition(" ")
        return self.digests.get((document, clause), "")

    def run(self, keys: Sequence[str], *, save: bool = True) -> dict[str, dict[str, tuple[Outcome, Any]]]:
        """Breaks clauses and updates their entries; the file is written every minute, so that a run can be resumed."""
        trials = self.trials(keys)
        results: dict[str, dict[str, tuple[Outcome, Any]]] = {key: {} for key in keys}
        started = saved = time.monotonic()
        claimed = [trial for trial in trials if trial.tests]
        for trial in trials:
            if not trial.tests:
                results[trial.key][trial.mutation.description] = (Outcome(error="no test claims the clause"), None)
        for done, (number, outcome) in enumerate(
            run_jobs([trial.job for trial in claimed], children=self.children, seconds=self.seconds), 1
        ):
            trial = claimed[number]
            results[trial.key][trial.mutation.description] = (outcome, self._result(trial, outcome))
            if save and time.monotonic() - saved > 60:
                saved = time.monotonic()
                self._update(results, trials)
            if done % 50 == 0:
                minutes = (time.monotonic() - started) / 60
                sys.stderr.write(f"{done} of {len(claimed)} mutations, {minutes:.1f} minutes\n")
        if save:
            self._update(results, trials)
        return results

    def _result(self, trial: Trial, outcome: Outcome) -> Any:
        """The result of a mutation for the evidence: what was broken and which test failed; `None` if none did."""
        if not outcome.failed:
            return None
        test = outcome.failed[0].partition("[")[0]
        places = [trial.mutation.code] if trial.mutation.code else outcome.places
        return {
            "code": [f"{place}@{self.tree.code_digest(place)}" for place in sorted(places)],
            "test": f"{test}@{self.tree.test_digest(test, trial.claims[test], trial.mutation.clause)}",
        }

    def _update(self, results: Mapping[str, Mapping[str, tuple[Outcome, Any]]], trials: Sequence[Trial]) -> None:
        """Takes over the results of clauses of which every mutation has run."""
        counts: dict[str, int] = {}
        for trial in trials:
            counts[trial.key] = counts.get(trial.key, 0) + 1
        for key, by_mutation in results.items():
            if len(by_mutation) == counts.get(key, 0):
                mutations = {description: result for description, (_, result) in sorted(by_mutation.items())}
                self.entries[key] = {"rests_on": self._rests_on(key), "mutations": mutations}
        self.entries = {key: entry for key, entry in self.entries.items() if key in self.scope}
        write_evidence(self.entries)

    def sample(self, count: int, seed: int) -> list[str]:
        """Some of the clauses whose evidence is fresh, chosen by a seed."""
        fresh = sorted(key for key in self.scope if self.is_done(key))
        return sorted(random.Random(seed).sample(fresh, min(count, len(fresh))))


def write_evidence(entries: Mapping[str, Entry]) -> None:
    """Writes the evidence, sorted, with a line for each mutation."""
    lines = []
    for key in sorted(entries):
        rests_on, mutations = entries[key]["rests_on"], entries[key]["mutations"]
        body = ",\n".join(
            f"  {json.dumps(description)}: {json.dumps(mutations[description])}" for description in sorted(mutations)
        )
        inner = f"{{\n{body}}}" if body else "{}"
        lines.append(f'{json.dumps(key)}: {{"rests_on": "{rests_on}", "mutations": {inner}}}')
    (ROOT / EVIDENCE).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
