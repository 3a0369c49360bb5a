"""Dataclasses whose methods are compiled on first use behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from croupier.core.dataclass import _GeneratedMethod, dataclass
from croupier.table.model import commands, events

Decorator = Callable[..., Any]


def declare(decorator: Decorator, **options: bool) -> Any:
    @decorator(**options)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list, compare=False)
        total: int = field(init=False, default=0, repr=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.x + self.y)

    return Point


OPTIONS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "kw_only": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"eq": False},
    {"frozen": True, "eq": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_it_behaves_as_the_standard_one(options: dict[str, bool]) -> None:
    ours, standard = declare(dataclass, **options), declare(dataclasses.dataclass, **options)
    assert str(inspect.signature(ours)) == str(inspect.signature(standard))
    assert ours.__match_args__ == standard.__match_args__
    for arguments in ({"x": 1}, {"x": 1, "y": 5, "tags": ["a"]}):
        one, other = ours(**arguments), standard(**arguments)
        assert repr(one) == repr(other)
        assert dataclasses.asdict(one) == dataclasses.asdict(other)
        assert (one == ours(**arguments)) == (other == standard(**arguments))
        assert (ours.__hash__ is None) == (standard.__hash__ is None)
        assert copy.deepcopy(one).total == other.total
        assert dataclasses.replace(one, x=9).total == dataclasses.replace(other, x=9).total
    if options.get("frozen") and options.get("eq", True):
        assert hash(ours(x=3)) == hash(standard(x=3))
    assert ours(x=1).tags is not ours(x=1).tags
    with pytest.raises(TypeError):
        ours(y=1)


def test_a_frozen_one_refuses_assignment_and_deletion() -> None:
    point = declare(dataclass, frozen=True, slots=True)(x=1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x


def test_pickle_restores_a_frozen_one_with_slots() -> None:
    count = events.HandCount(place="dealer", seat=0, cards=5)
    assert pickle.loads(pickle.dumps(count)) == count  # noqa: S301 - its own


def test_a_method_of_the_class_itself_is_kept() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return self.name

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Named("a")), Named("a") == 3, hash(Named("a"))) == ("a", True, 7)


def test_a_method_is_compiled_on_first_use_only() -> None:
    point = declare(dataclass, frozen=True)
    assert isinstance(point.__dict__["__init__"], _GeneratedMethod)
    assert isinstance(point.__dict__["__repr__"], _GeneratedMethod)
    point(x=1)
    assert inspect.isfunction(point.__dict__["__init__"])
    assert isinstance(point.__dict__["__repr__"], _GeneratedMethod)


KINDS = [
    kind
    for module in (events, commands)
    for kind in vars(module).values()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_events_and_commands_take_the_arguments_of_their_fields(kind: type) -> None:
    entries = [
        (
            each.name,
            each.type,
            field(default=each.default, default_factory=each.default_factory, init=each.init, kw_only=each.kw_only),
        )
        for each in dataclasses.fields(kind)
    ]
    standard = dataclasses.make_dataclass(kind.__name__, entries, frozen=True)
    assert str(inspect.signature(kind)) == str(inspect.signature(standard))
