"""The notebooks run from their first cell to their last."""

import json
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path):
    if "matplotlib" in path.read_text(encoding="utf-8"):
        pytest.importorskip("matplotlib")
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)


def test_there_are_three():
    assert len(NOTEBOOKS) == 3
