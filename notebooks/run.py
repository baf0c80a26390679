#!/usr/bin/env python3
"""Runs the notebooks from scratch, each in a kernel of its own, cell by cell, and starts no more when one has failed.

As many run side by side as there are processors.

usage: run.py [--changed] OUTPUT [NAME...]

A source NAME.py in this folder is text with `# %% [markdown]` and `# %%` before its cells. It becomes OUTPUT/NAME.ipynb
with its results, OUTPUT/NAME.html, a page that loads nothing, and the figures OUTPUT/NAME/*.svg.
--changed leaves out the notebooks whose page is newer than what it was made from.
"""
import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter
from nbconvert.filters import strip_ansi

HERE = Path(__file__).resolve().parent
LIMIT = 60  # s, for a whole notebook
MARKS = {"# %%": "code", "# %% [markdown]": "markdown"}


class Failure(Exception):
    """One sentence on what is wrong, which names the file and the line."""


# --- from text to a notebook -----------------------------------------------------------------------------------------

def read_cells(path):
    """The cells of a source: (kind, number of the first line, text)."""
    cells = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line in MARKS:
            cells.append((MARKS[line], number, []))
        elif line.startswith("# %%"):
            raise Failure(f"{path.name}:{number}: '{line}' starts no cell; write '# %%' or '# %% [markdown]'")
        elif cells:
            cells[-1][2].append(plain(line, path, number) if cells[-1][0] == "markdown" else line)
        elif line:
            raise Failure(f"{path.name}:{number}: a notebook starts with '# %%' or '# %% [markdown]', not '{line}'")
    if not cells:
        raise Failure(f"{path.name}: there are no cells; a cell starts with '# %%' or '# %% [markdown]'")
    return [(kind, number, "\n".join(lines).strip("\n")) for kind, number, lines in cells]


def plain(line, path, number):
    """A line of prose without its comment sign."""
    if line in ("", "#"):
        return ""
    if not line.startswith("# "):
        raise Failure(f"{path.name}:{number}: a line of prose starts with '# ', not with '{line}'")
    return line[2:]


def to_notebook(path):
    """The notebook of a source: the same text makes the same bytes, so ids are numbers and no version is told."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    cells = [make[kind](text, id=f"cell-{index:02}", metadata={"line": number})
             for index, (kind, number, text) in enumerate(read_cells(path), 1)]
    title = cells[0].source.splitlines()[0].lstrip("# ") if cells[0].source else path.stem
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={
        "title": title, "kernelspec": kernel, "language_info": {"name": "python"}})


# --- running ---------------------------------------------------------------------------------------------------------

def execute(notebook, name, folder):
    """Runs all cells; FOLDER is where the kernel stands. Raises a Failure that names the cell."""
    end = time.monotonic() + LIMIT
    client = NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}},
                            record_timing=False)
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            where = f"{name}.py:{cell.metadata.line}: {cell.id}"
            client.timeout = max(int(end - time.monotonic()), 1)  # 0 would mean forever
            try:
                client.execute_cell(cell, index)
            except CellExecutionError as error:
                raise Failure(f"{where} raised {error.ename}: {error.evalue}\n{strip_ansi(error.traceback)}") from None
            except CellTimeoutError:
                raise Failure(f"{where} was still running when the {LIMIT} s of the notebook were over") from None
            except DeadKernelError:
                raise Failure(f"{where} ended the kernel") from None


def page(notebook):
    """The notebook as one HTML text."""
    exporter = HTMLExporter(template_name="page", extra_template_basedirs=[str(HERE)])
    return exporter.from_notebook_node(notebook)[0]


def run(path, output):
    """Makes all that OUTPUT holds of a notebook, or leaves OUTPUT as it was; one line on what was made."""
    start = time.monotonic()
    notebook = to_notebook(path)
    with tempfile.TemporaryDirectory(dir=output) as scratch:
        scratch = Path(scratch)
        figures = scratch / "figures"
        figures.mkdir()
        os.environ["ARTICULATE_FIGURES"] = str(figures)
        execute(notebook, path.stem, scratch)
        if not any(figures.glob("*.svg")):
            raise Failure(f"{path.name}: no cell published a figure; the last one calls style.publish")
        nbformat.write(notebook, scratch / "notebook.ipynb")
        (scratch / "page.html").write_text(page(notebook), encoding="utf-8")
        shutil.rmtree(output / path.stem, ignore_errors=True)
        figures.replace(output / path.stem)
        (scratch / "notebook.ipynb").replace(output / f"{path.stem}.ipynb")
        (scratch / "page.html").replace(output / f"{path.stem}.html")
    figures = ", ".join(sorted(figure.name for figure in (output / path.stem).glob("*.svg")))
    return f"{path.stem:15} {time.monotonic() - start:5.1f} s  {figures}"


def run_all(paths, output):
    """Runs the notebooks, each in a process of its own, and prints a line for each that is done."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as processes:
        tasks = [processes.submit(run, path, output) for path in paths]
        try:
            for task in as_completed(tasks):
                print(task.result(), flush=True)
        except Failure:
            processes.shutdown(cancel_futures=True)
            raise


def is_current(path, output):
    """Whether the page is newer than the source, all that this folder lends it, and the module."""
    made = output / f"{path.stem}.html"
    module = find_spec("articulate")
    inputs = [path, *HERE.glob("[a-z]*.py"), *(HERE / "page").iterdir()]
    inputs += Path(module.origin).parent.iterdir() if module else []
    return made.exists() and all(item.stat().st_mtime < made.stat().st_mtime for item in inputs if item.is_file())


def shut_out_the_user(scratch):
    """No kernel, profile or style of the person who runs this; and the kernel finds what lies in this folder."""
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        os.environ[name] = str(scratch)
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else the kernel complains about Python's own modules
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))


def sources(names):
    """The sources of the names given, or all."""
    known = {path.stem: path for path in sorted(HERE.glob("[0-9][0-9]_*.py"))}
    for name in names:
        if name not in known:
            raise Failure(f"there is no notebook '{name}'; there are {', '.join(known)}")
    return [known[name] for name in names or known]


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("output", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    output = options.output.resolve()  # a kernel stands elsewhere
    try:
        output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            shut_out_the_user(scratch)
            run_all([path for path in sources(options.names) if not (options.changed and is_current(path, output))],
                    output)
    except Failure as failure:
        print(f"notebooks: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
