"""Rewrites the text of every golden round: `python -m tests.golden.render`.

Regulators and reviewers read these texts, and the tests compare with them. A changed text means that the
table behaves differently: before committing, somebody must read the diff line by line against the clauses
it cites. Nothing else checks the texts.
"""

from __future__ import annotations

import sys

from tests.golden.procedures.stories import FOLDER as PROCEDURES
from tests.golden.procedures.stories import stories
from tests.golden.replay import replay, scenarios


def render() -> int:
    """Rewrites every text and returns the number that changed."""
    changed = 0
    texts = [(path.with_suffix(".txt"), replay(path).text) for path in scenarios()]
    texts += [(PROCEDURES / f"{name}.txt", story()) for name, story in stories()]
    for target, text in texts:
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{target}\n")
            changed += 1
    return changed


if __name__ == "__main__":
    sys.stdout.write(f"{render()} texts written: read the diff\n")
