"""The package as a whole: documentation, types, import."""

import doctest
import importlib
import importlib.resources
import inspect
import subprocess
import sys

import pytest

import quincunx

MODULES = ["quincunx", "quincunx.game", "quincunx.vec_env", "quincunx.engine", "quincunx.contest", "quincunx.files"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_are_right(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_everything_public_has_a_docstring():
    for name in quincunx.__all__:
        thing = getattr(quincunx, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name


def test_stubs_name_what_the_native_half_has():
    import quincunx._quincunx as native

    stub = (importlib.resources.files("quincunx") / "_quincunx.pyi").read_text(encoding="utf-8")
    for name in dir(native.State):
        if not name.startswith("_"):
            assert f"def {name}(" in stub, name
    for name in dir(native):
        assert name.startswith("_") or name in stub, name


def test_importing_it_loads_neither_numpy_nor_pettingzoo_nor_gymnasium():
    code = "import sys, quincunx; print(any(name in sys.modules for name in ('numpy', 'gymnasium', 'pettingzoo')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
