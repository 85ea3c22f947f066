"""What the package is made of: small files, and nothing but the standard library."""

from __future__ import annotations

import ast
import sys
import unittest
from pathlib import Path

import plugboard

FILES = sorted(Path(plugboard.__file__).parent.glob("*.py"))
WRITTEN = [file for file in FILES if not file.name.endswith("_gen.py") and file.name not in ("types.py", "events.py")]


class PackageTest(unittest.TestCase):
    def test_only_the_standard_library_is_imported(self) -> None:
        for file in FILES:
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                for name in names:
                    self.assertIn(name.split(".")[0], sys.stdlib_module_names, file.name)

    def test_the_files_that_are_not_generated_are_small(self) -> None:
        lines = [len(file.read_text("utf-8").splitlines()) for file in WRITTEN]
        self.assertLess(max(lines), 300)
        self.assertLess(sum(lines), 2_700)

    def test_everything_public_exists_and_has_a_docstring(self) -> None:
        for name in plugboard.__all__:
            value = getattr(plugboard, name)
            if isinstance(value, type):
                self.assertTrue(value.__doc__, name)
