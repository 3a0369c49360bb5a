"""`dataclass` as in the standard library, for classes that every start of the program defines.

The standard decorator compiles six methods for each class, which is most of the time that the import of the table
takes. This one lets the standard decorator collect the fields, and compiles a method when it is first used. A
hierarchy uses one decorator throughout.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field, fields
from types import MethodType
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    """Makes a class a dataclass whose methods are compiled on first use; the options are those of the standard one."""

    def decorate(cls: type[T]) -> type[T]:
        documentation = cls.__doc__
        cls.__doc__ = documentation or cls.__name__  # else the standard decorator builds a signature for it
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        made.__doc__ = documentation
        for name in ("__init__", "__repr__", *(("__eq__", "__hash__") if eq else ())):
            if not _defines(cls, name):
                is_hash_of_mutable = name == "__hash__" and not frozen
                setattr(made, name, None if is_hash_of_mutable else _GeneratedMethod(made, name))
        if frozen:
            _freeze(made, slots=slots)
        return made

    return decorate


def _defines(cls: type, name: str) -> bool:
    """Whether the body of a class defines a method; Python itself sets the hash of a class with `__eq__` to `None`."""
    return cls.__dict__.get(name) is not None


class _GeneratedMethod:
    """Stands for a method of a dataclass until it is first looked up; then takes the generated one's place."""

    __slots__ = ("cls", "name")

    def __init__(self, cls: type, name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = _generate(self.cls, self.name)
        setattr(self.cls, self.name, method)
        return method if instance is None else MethodType(method, instance)


def _generate(cls: type, name: str) -> Any:
    """The method that the standard library generates for the fields of a class."""
    if name == "__init__":
        return _compile_init(cls)
    entries = [
        (each.name, each.type, field(repr=each.repr, hash=each.hash, compare=each.compare)) for each in fields(cls)
    ]
    twin = dataclasses.make_dataclass(
        cls.__name__,
        entries,
        namespace={"__doc__": cls.__name__},
        init=False,
        repr=name == "__repr__",
        eq=name == "__eq__",
        unsafe_hash=name == "__hash__",
    )
    return _adopt(cls, twin.__dict__[name])


class _Factory:
    """The default of an argument whose field has a factory."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _compile_init(cls: type) -> Any:
    """The initializer: as that of the standard library, but without the other methods, which it would compile too."""
    names: dict[str, Any] = {"_FACTORY": _FACTORY, "_assign": object.__setattr__}
    is_frozen = cls.__dict__.get("__setattr__") is _refuse_assignment
    positional, body, annotations = ["self"], list[str](), dict[str, Any]()
    keywords: list[str] = []
    for each in fields(cls):
        has_factory, default, argument = each.default_factory is not MISSING, f"_default_{each.name}", each.name
        if has_factory:
            names[default] = each.default_factory
            argument += "=_FACTORY"
        elif each.default is not MISSING:
            names[default] = each.default
            argument += f"={default}"
        if each.init:
            (keywords if each.kw_only else positional).append(argument)
            annotations[each.name] = each.type
            value = f"{default}() if {each.name} is _FACTORY else {each.name}" if has_factory else each.name
        elif default in names:
            value = f"{default}()" if has_factory else default
        else:
            continue
        body.append(f"_assign(self, {each.name!r}, {value})" if is_frozen else f"self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *keywords] if keywords else [])])
    exec("\n ".join([f"def __init__({parameters}):", *(body or ["pass"])]), names)  # noqa: S102
    names["__init__"].__annotations__ = {**annotations, "return": None}
    return _adopt(cls, names["__init__"])


def _adopt(cls: type, method: Any) -> Any:
    method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
    method.__module__ = cls.__module__
    return method


def _freeze(cls: type, *, slots: bool) -> None:
    cls.__setattr__ = _refuse_assignment  # type: ignore[assignment]
    cls.__delattr__ = _refuse_deletion  # type: ignore[assignment]
    if slots:  # without them, `copy` and `pickle` would assign the fields
        for name, method in (("__getstate__", _field_values), ("__setstate__", _set_field_values)):
            if name not in cls.__dict__:
                setattr(cls, name, method)


def _refuse_assignment(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _field_values(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_field_values(self: Any, values: list[Any]) -> None:
    for each, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)
