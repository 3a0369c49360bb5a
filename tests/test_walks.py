"""The pictures of the walks: the modules in them run in the real command, in the order drawn."""

from __future__ import annotations

import importlib.util
import re
from itertools import pairwise

import pytest
from tools.walks.__main__ import IMAGES, trace
from tools.walks.picture import draw
from tools.walks.stages import WALKS, Walk

BY_NAME = pytest.mark.parametrize("walk", WALKS, ids=[walk.name for walk in WALKS])


@pytest.mark.parametrize(
    "walk",
    [
        pytest.param(walk, marks=() if walk.name == "scenario-to-settlement" else pytest.mark.slow, id=walk.name)
        for walk in WALKS
    ],
)
def test_a_walk_enters_the_modules_of_its_picture_in_order(walk: Walk) -> None:
    """Each walk traces a command in a process of its own."""
    named = [module for stage in walk.stages for module in stage.modules]
    entered: list[str] = trace(walk.run)["modules"]
    assert [module for module in named if module not in entered] == []
    first = [min(entered.index(module) for stage in row.stages for module in stage.modules) for row in walk.rows]
    for (above, row), (below, following) in pairwise(zip(first, walk.rows, strict=True)):
        assert above < below, f"{following.stages[0].title!r} begins before {row.stages[0].title!r}"


@BY_NAME
def test_a_module_exists_and_is_in_one_stage_of_a_picture(walk: Walk) -> None:
    named = [module for stage in walk.stages for module in stage.modules]
    assert [module for module in named if importlib.util.find_spec(module) is None] == []
    assert len(named) == len(set(named))


@BY_NAME
def test_the_committed_picture_is_the_one_that_is_drawn(walk: Walk) -> None:
    """`make diagrams` draws them again."""
    assert (IMAGES / f"{walk.name}.svg").read_text(encoding="utf-8") == draw(walk)


@BY_NAME
def test_chips_and_boxes_stay_on_the_page(walk: Walk) -> None:
    """Right edges of all rectangles lie within the picture, whatever the modules are called."""
    width = float(re.findall(r'viewBox="0 0 (\d+)', draw(walk))[0])
    edges = re.findall(r'<rect class="\w+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', draw(walk))
    assert edges
    assert all(float(left) + float(size) < width for left, size in edges)
