"""`python -m tools.law`: runs the campaign, or re-runs a sample of its evidence."""

from __future__ import annotations

from tools.law import guards

guards.install()

import argparse  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402

from tools.law.campaign import Campaign  # noqa: E402
from tools.law.report import print_sample, print_summary, write_report  # noqa: E402
from tools.law.runner import control_failures, load_everything  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.law", description=__doc__)
    parser.add_argument("clauses", nargs="*", metavar="DOCUMENT:CLAUSE", help="break only these, whatever is known")
    parser.add_argument("--all", action="store_true", help="break every clause again, not only those without evidence")
    parser.add_argument(
        "--match", default="", metavar="TEXT", help="break only clauses with a mutation named like this"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="re-run N clauses with evidence and write nothing")
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample")
    parser.add_argument("--children", type=int, default=os.cpu_count() or 1, help="child processes at a time")
    parser.add_argument("--seconds", type=float, default=60, help="the time that the tests of a mutation may take")
    arguments = parser.parse_args()
    load_everything()
    campaign = Campaign(children=arguments.children, seconds=arguments.seconds)
    if arguments.sample is not None:
        return print_sample(campaign.run(campaign.sample(arguments.sample, arguments.seed), save=False))
    named = [clause.replace(":", " ", 1) for clause in arguments.clauses]
    keys = named or [key for key in campaign.scope if arguments.all or not campaign.is_done(key)]
    if arguments.match:
        keys = [trial.key for trial in campaign.trials(keys) if arguments.match in trial.mutation.description]
    keys = list(dict.fromkeys(keys))
    unknown = [key for key in keys if key not in campaign.scope]
    if unknown:
        parser.error(f"{unknown[0]} is not a clause that is enforced or checked")
    tests = sorted({test for trial in campaign.trials(keys) for test in trial.tests})
    failures = control_failures(tests, seconds=3600) if tests else []
    if failures:
        sys.stderr.write(f"without any mutation, {len(failures)} tests fail, the first is {failures[0]}\n")
        return 1
    results = campaign.run(keys)
    write_report()
    print_summary(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
