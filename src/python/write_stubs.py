#!/usr/bin/env python3
"""Write the type stubs of the module, from the signatures that pybind11 puts at the head of every docstring.

usage: write_stubs.py FOLDER MODULE FILE     where FOLDER/articulate is the package and FILE the stub's name in it; the
build calls this after linking

mypy's stubgen loses static methods, docstrings and submodules of a compiled module, hence these few lines.
"""
import ast
import importlib
import inspect
import pathlib
import re
import sys
import textwrap

HEADER = '''"""{doc}"""
import os
from typing import Any, Callable, ClassVar, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

import articulate
import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]
Given = Union[NDArray[numpy.floating[Any]], NDArray[numpy.integer[Any]]]
Numbers = Union[Given, Sequence[float], Sequence[Sequence[float]], Sequence[Given]]
Flags = Union[NDArray[numpy.bool_], Sequence[bool]]
'''
UNSAID = {"__doc__", "__members__", "__getstate__", "__setstate__", "__reduce__"}  # how things are made, again


class Shorten(ast.NodeTransformer):
    """From pybind11's names of types to those of the stub."""

    KNOWN = {
        "numpy.ndarray[numpy.float64]": "Array",
        "numpy.ndarray": "NDArray[Any]",
        "numpy.typing.ArrayLike": "Numbers",
        "Dict[str, numpy.typing.ArrayLike]": "Mapping[str, Numbers]",  # which a Dict of arrays is too
        "List[bool]": "Flags",
        "os.PathLike": "os.PathLike[str]",
        "dict": "Dict[str, Any]",
    }

    def __init__(self, module):
        self.module = module

    def visit(self, node):
        if not isinstance(node, ast.expr):
            return super().visit(node)
        name = ast.unparse(node)
        if name in self.KNOWN:
            return ast.Name(self.KNOWN[name])
        if isinstance(node, ast.Attribute):
            return ast.Name(name.removeprefix(self.module.__name__ + "."))
        return super().visit(node)

    def visit_arguments(self, node):
        node = self.generic_visit(node)
        node.defaults = [ast.Constant(...) for _ in node.defaults]
        if node.args and node.args[0].arg in ("self", "arg0"):  # only that of a method may lack a name
            node.args[0] = ast.arg("self")
        return node


def signatures(doc):
    """The signatures and the texts in a docstring of pybind11: one pair, or one for each overload."""
    if "\nOverloaded function.\n" not in doc:
        head, _, text = doc.partition("\n")
        return [(head, text.strip())]
    parts = re.split(r"^\d+\. (?=\w+\()", doc, flags=re.M)[1:]
    return [(head, text.strip()) for head, _, text in (part.partition("\n") for part in parts)]


def body(line, lines):
    yield line
    yield from textwrap.indent("\n".join(lines), "    ").split("\n")


class Stub:
    """The lines of the stub of a module."""

    def __init__(self, module):
        self.module = module

    def lines(self):
        yield HEADER.format(doc=inspect.cleandoc(self.module.__doc__))
        if self.module.__name__ == "articulate":
            yield "from . import course as course, ledger as ledger"  # which are loaded when they are asked for
            yield "from .course import grade as grade"
        for name, value in sorted(vars(self.module).items()):
            if name == "__version__":
                yield f"{name}: str"
            elif name.startswith("_"):
                continue
            elif getattr(value, "__module__", "") == "articulate._simulation":
                yield f"from ._simulation import {name} as {name}"
            elif inspect.isclass(value):
                yield from self.class_lines(value)
            elif inspect.isroutine(value):
                yield from self.function(name, value.__doc__)

    def class_lines(self, class_):
        base = class_.__base__.__name__
        head = f"class {class_.__name__}" + ("" if base == "pybind11_object" else f"({base})") + ":"
        yield from body(head, [f'"""{inspect.cleandoc(class_.__doc__ or "")}"""', *self.members(class_)])

    def members(self, class_):
        for name, value in sorted(vars(class_).items()):
            if name in UNSAID:
                continue
            if isinstance(value, property):
                yield from self.attribute(name, value)
            elif isinstance(value, staticmethod):
                yield from self.function(name, value.__func__.__doc__, ["staticmethod"])
            elif isinstance(value, class_):
                yield f"{name}: ClassVar[{class_.__name__}]"
            elif callable(value) and re.match(r"\w+\(", value.__doc__ or ""):
                yield from self.function(name, value.__doc__)

    def attribute(self, name, value):
        """A property: pybind11 puts the signature on the getter and the text on the property."""
        signature = value.fget.__doc__.strip()
        yield from self.function(name, f"{name}{signature}\n{inspect.cleandoc(value.__doc__ or '')}", ["property"])
        if value.fset:
            returned = signature.rpartition(" -> ")[2]
            yield from self.function(name, f"{name}(self, value: {returned}) -> None", [f"{name}.setter"])

    def function(self, name, doc, decorators=()):
        """A function with all its overloads."""
        overloads = signatures(doc)
        for head, text in overloads:
            tree = Shorten(self.module).visit(ast.parse(f"def {head}: ..."))
            node = tree.body[0]
            node.name = name
            yield from (f"@{decorator}" for decorator in [*(["overload"] if len(overloads) > 1 else []), *decorators])
            line = ast.unparse(ast.fix_missing_locations(tree)).split("\n")[0]
            yield from body(line, [f'"""{text}"""'] if text else ["..."])


def main():
    folder, name, file = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    sys.path.insert(0, str(folder))
    lines = Stub(importlib.import_module(name)).lines()
    (folder / "articulate" / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
