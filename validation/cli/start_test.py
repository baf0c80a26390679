#!/usr/bin/env python3
"""What the start script says before it builds anything: of options, and of a checkout in which nothing can be built.

usage: start_test.py PROGRAM     where PROGRAM is the built command line, whose options are held against the script's
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ("main.cpp", "check_main.cpp", "command_line.hpp")  # where options are declared


def start(folder, *arguments, **options):
    return subprocess.run([folder / "articulate", *arguments], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL, **options)


class Start(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        shutil.copy(ROOT / "articulate", self.folder)
        shutil.copy(ROOT / "CMakeLists.txt", self.folder)
        (self.folder / "src" / "cli").mkdir(parents=True)
        for name in OPTIONS:
            shutil.copy(ROOT / "src" / "cli" / name, self.folder / "src" / "cli")

    def assert_said(self, done, code, *pieces):
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Aarticulate: [^\n]+\n\Z")
        for piece in pieces:
            self.assertIn(piece, done.stderr)

    def test_options_are_checked_before_anything_is_built(self):
        for arguments, words in (
            (["compute", "--modle", "x"], "--modle is unknown"),
            (["compute", "--model=ur5", "--sate=x"], "--sate is unknown"),
            (["verify", "--jsno", "x"], "--jsno is unknown"),
            (["models", "--all"], "--all is unknown"),
            (["compute", "--model", "ur5"], "--state is required"),
            (["check", "theirs.csv"], "--model is required"),
            (["diagnose", "--chek"], "--chek is unknown"),
            (["simulate", "--model", "ur5", "--state", "-"], "--duration is required"),
        ):
            self.assert_said(start(self.folder, *arguments), 2, words)
            self.assertFalse((self.folder / "build").exists())

    def test_every_option_of_the_program_is_known(self):
        known = set(re.findall(r'"(--[a-z-]+)"', "".join(
            (ROOT / "src" / "cli" / name).read_text() for name in OPTIONS)))
        for subcommand in ("compute", "simulate", "models", "verify", "check"):
            program = str(Path(PROGRAM).with_name("articulate-check")) if subcommand == "check" else PROGRAM
            text = subprocess.run([program, subcommand, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertLessEqual(set(re.findall(r"^  (?:-h,)?(--[a-z-]+)", text, re.MULTILINE)), known | {"--help"})

    def test_the_help_and_the_readme_list_the_same_subcommands(self):
        told = re.findall(r"^  ([a-z]+) +\S", start(self.folder, "help").stdout, re.MULTILINE)
        listed = re.findall(r"^\| `\./articulate ([a-z]+)`", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(set(told) - {"diagnose", "version"}, set(listed))  # another name of check, and of --version
        self.assertIn("./articulate grade", start(ROOT, "grade", "--help").stdout)

    def configured(self, *compilers):
        """What is said where no package may be installed, of all of them only clang is missing, and these compilers are there."""
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("bash", "env", "readlink", "dirname", "sed", "grep", "mkdir", "tail", "awk", "nproc", "tr"):
            (tools / name).symlink_to(shutil.which(name))
        programs = {"dpkg-query": 'shift 2; for name; do [[ $name == clang ]] || echo "installed $name"; done',
                    "cmake": 'echo "$@"; exit 1'}
        for name, text in {**programs, **dict.fromkeys(compilers, "exit 1")}.items():
            (tools / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
            (tools / name).chmod(0o755)
        return start(self.folder, "models", env={"PATH": str(tools)})

    def test_where_clang_cannot_be_installed_another_compiler_will_do(self):
        done = self.configured("g++")
        self.assertIn("-DCMAKE_CXX_COMPILER=g++", done.stderr)
        self.assertIn("the step 'configure' failed", done.stderr)

    def test_where_no_compiler_can_be_installed_the_package_is_named(self):
        done = self.configured()
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr, r"cannot be installed from here:\nclang\n\Z")

    def test_a_checkout_that_cannot_be_written_is_told_so(self):
        options = {"user": 65534} if os.geteuid() == 0 else {}
        self.folder.chmod(0o555)
        try:
            done = start(self.folder, "models", **options)
        finally:
            self.folder.chmod(0o755)
        self.assert_said(done, 1, str(self.folder) + "/build cannot be written", "copy the checkout")


if __name__ == "__main__":
    unittest.main()
