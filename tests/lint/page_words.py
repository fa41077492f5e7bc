"""Words of the documentation: README, CONTRIBUTING and docs have at most 32,000 by `wc -w`.

Those of the trainer count. The pages of docs/cli do not, nor berttrain's: most of each is what --help prints.
"""

import frame

MOST_WORDS = 32_000
LONGEST = 5
CALLS = ("docs/cli/", "trainer/docs/berttrain.md")


def pages(root):
    return [name for name in frame.project_files(root, ".md")
            if name in ("README.md", "CONTRIBUTING.md")
            or (name.startswith(("docs/", "trainer/docs/", "trainer/README.md")) and not name.startswith(CALLS))]


def faults(root):
    words = {name: len((root / name).read_text(encoding="utf-8").split()) for name in pages(root)}
    total = sum(words.values())
    if total <= MOST_WORDS:
        return []
    longest = sorted(words, key=words.get, reverse=True)[:LONGEST]
    return [f"the documentation has {total} words, at most {MOST_WORDS}: say each thing once and link to it; "
            f"the longest pages: {', '.join(f'{name} {words[name]}' for name in longest)}"]


CASES = [
    frame.Case({"README.md": "| word\n" * 5_000, "CONTRIBUTING.md": "a b " * 5_000, "docs/a/b.md": "word " * 12_000,
                "docs/cli/run.md": "word " * 40_000, "samples/README.md": "word " * 40_000,
                "docs/a.svg": "a " * 40_000}),
    frame.Case({"README.md": "word " * 32_001}, "has 32001 words"),
    frame.Case({"README.md": "word " * 10_000, "CONTRIBUTING.md": "word " * 10_000, "docs/a.md": "word " * 12_001},
               "the longest pages: docs/a.md 12001, "),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
