"""Exact covariances of wagers on the same cards."""
