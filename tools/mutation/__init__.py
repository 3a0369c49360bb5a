"""Mutation testing: whether the tests notice when the code is wrong.

`python -m tools.mutation` makes small changes to the modules that decide about money and secrets, one at a time, and
runs the tests of each module against the changed code. mutmut supplies the changes. Its own runner leaves out
decorated functions and the tables of a module, where most of the rules are; here a mutant is a whole changed file.
"""
