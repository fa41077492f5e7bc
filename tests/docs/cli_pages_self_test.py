"""Shows that the check of docs/cli finds what it is there for: a changed page, a missing one, one too many."""

import importlib.util
import pathlib
import sys
import tempfile


def load(path):
    spec = importlib.util.spec_from_file_location("update_cli_pages", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expect(found, words):
    if not words and found or words and not any(words in fault for fault in found):
        sys.exit(f"expected '{words}', found {found}")


def main():
    pages = load(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "update_cli_pages.py")
    expected = pages.helps(sys.argv[1])
    if "run.md" not in expected or "vocab-train.md" not in expected or "vocab.md" in expected:
        sys.exit(f"the commands were not found: {sorted(expected)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for page, text in expected.items():
            page_text = f"# A page\n\n```text\n{text}```\n\n```text\nan example\n```\n"
            (folder / page).write_text(page_text, encoding="utf-8")
        expect(pages.faults(expected, folder), "")
        run = folder / "run.md"
        run.write_text(run.read_text(encoding="utf-8").replace("--name", "--nome"), encoding="utf-8")
        expect(pages.faults(expected, folder), "run.md: differs")
        pages.rewrite(expected, folder)
        expect(pages.faults(expected, folder), "")
        run.unlink()
        expect(pages.faults(expected, folder), "run.md: missing")
        (folder / "bake.md").write_text("# Not there yet\n", encoding="utf-8")
        expect(pages.faults(expected, folder), "bake.md: there is no such command")


if __name__ == "__main__":
    main()
