"""Tests of games without a regulation, and of the tools for their authors."""
