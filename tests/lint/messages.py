"""Messages: what the library says of an option names its field, `max_article`; flags belong to the program, which shows
--max-article (in_flags in tools/console). Commands that a user may run, such as 'bertprep extract --clean', are whole.

Read are the string literals of src, but for help texts, which describe flags. Findings of quality and report are advice
to people who run commands; batch writes command lines, so that only what it throws is read.
"""

import re

import frame

TOKEN = re.compile(r"""//[^\n]*|\#include[^\n]*|R"(\w*)\(.*?\)\1"|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)*'|;""",
                   re.DOTALL)
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
# A program, and what follows it up to the end of the quotation.
COMMAND = re.compile(r"\b(?:aws|bertprep|berttrain|pandoc|soffice|iconv|pdftotext|xmllint)\b[^']*")
HELP = re.compile(r"\.help =\s*(?:\"[^\"]*\"\s*)*$|\b(?:text|number|amount|choice)\([^;\"]*(?:\"[^\"]*\"[^;\"]*)*$")
ADVICE = ("src/quality/", "src/report/")
COMMAND_LINES = ("src/batch/", "src/fetch/address/", "src/fetch/fetch.cpp", "src/pipeline/explain/text_of_shard.cpp")


def statements(text):
    """(start, literals) of what ends in ';', with the matches of its string literals."""
    start, literals = 0, []
    for token in TOKEN.finditer(text):
        if token.group(0) == ";":
            yield start, literals
            start, literals = token.end(), []
        elif token.group(2) is not None:
            literals.append(token)


def flags_in(text, start, literals):
    """(offset, flag) of those that stand in no command."""
    said = ""
    for literal in literals:
        if not HELP.search(text[start:literal.start()]):
            words = said + literal.group(2)
            rest = COMMAND.sub(lambda command: " " * len(command.group(0)), words)
            yield from ((literal.start(), flag.group(0)) for flag in FLAG.finditer(rest, len(said)))
        said += literal.group(2)


def is_read(name, text, start, literals):
    if name == "src/quality/croissant.cpp" or not name.startswith(ADVICE + COMMAND_LINES):
        return True
    return name.startswith(COMMAND_LINES) and "throw " in text[start:literals[-1].end()]


def faults(root):
    found = []
    for name in frame.project_files(root, ".cpp", ".h"):
        if not name.startswith("src/"):
            continue
        text = (root / name).read_text(encoding="utf-8", errors="surrogateescape")
        for start, literals in statements(text):
            if not literals or not is_read(name, text, start, literals):
                continue
            for offset, flag in flags_in(text, start, literals):
                number = text.count("\n", 0, offset) + 1
                field = flag[2:].replace("-", "_")
                found.append(f"{name}:{number}: '{flag}' in a message: name the field, `{field}`")
    return found


CASES = [
    frame.Case({"src/a/a.cpp": 'throw Error("too long", {}, "give a larger --max-article");\n'},
               "name the field, `max_article`"),
    frame.Case({"src/a/a.cpp": 'f("a " + b +\n  "with --keep");\n'}, "a.cpp:2"),
    frame.Case({"src/a/a.cpp": 'throw E("run \'bertprep run --clean\' with --keep");\n'}, "--keep"),
    frame.Case({"src/batch/a.cpp": 'throw Error("--tasks is 0");\n'}, "--tasks"),
    frame.Case({"src/a/a.cpp": 'throw E("give `keep`, or run " "bertprep extract --clean");  // --keep\n'
                               'Field f{.name = "a", .help = "as --keep"};\n'}),
    frame.Case({"src/batch/a.cpp": 'command.push_back("--array");\n'}),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
