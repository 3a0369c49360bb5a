"""Rules Submissions: an operator's elections, and the checks of whether they are allowed."""

from croupier.submissions.checks import check_submission, problems_of, valid_submission
from croupier.submissions.model import Problem, Submission, read_submission
from croupier.submissions.template import submission_template

__all__ = [
    "Problem",
    "Submission",
    "check_submission",
    "problems_of",
    "read_submission",
    "submission_template",
    "valid_submission",
]
