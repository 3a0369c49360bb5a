"""For the office: Rules Submissions, the gaming day, the hold."""
