"""Rules Submissions: what an operator elects, and whether it is allowed."""

from croupier.submissions.checks import check_submission, problems_of, valid_submission
from croupier.submissions.submission import Problem, Submission, read_submission
from croupier.submissions.writing import draft

__all__ = ["Problem", "Submission", "check_submission", "draft", "problems_of", "read_submission", "valid_submission"]
