"""docs/notebooks: every cell gives what the notebook shows, in plain Python, and by jupyter-nbconvert where it is.

    BERTPREP_WRITE_NOTEBOOKS=1 writes the output of the cells into the notebooks.
"""

import ast
import json
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def result_of(source, names):
    """The repr of the last expression, as a notebook shows it; "" without one."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return "" if value is None else repr(value)


def shown(cell):
    return "".join("".join(output["data"]["text/plain"]) for output in cell["outputs"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_cells_give_what_they_show(path, folder):
    notebook, names = json.loads(path.read_text()), {}
    for number, cell in enumerate(code_cells(notebook), start=1):
        result = result_of("".join(cell["source"]), names)
        if os.environ.get("BERTPREP_WRITE_NOTEBOOKS"):
            cell["execution_count"] = number
            cell["outputs"] = [{"output_type": "execute_result", "execution_count": number, "metadata": {},
                                "data": {"text/plain": result.splitlines(keepends=True)}}] if result else []
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        assert result == shown(cell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_jupyter_gives_the_same(path, folder):
    if shutil.which("jupyter-nbconvert") is None:
        pytest.skip("jupyter-nbconvert is not installed")
    subprocess.run(["jupyter-nbconvert", "--execute", "--to", "notebook", "--output", folder / "run.ipynb",
                    "--ExecutePreprocessor.kernel_name=python3", path], check=True, cwd=folder)
    run = json.loads((folder / "run.ipynb").read_text())
    plain = ["".join("".join(output["data"].get("text/plain", [])) for output in cell["outputs"] if "data" in output)
             for cell in code_cells(run)]
    assert plain == [shown(cell) for cell in code_cells(json.loads(path.read_text()))]
