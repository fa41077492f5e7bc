"""Types: no two of the same name in the same namespace, as two definitions that are linked into one program are one to
the linker, and it takes any of them. Types in anonymous namespaces, in functions and in other types are no part of it,
nor two in one file, of which the compiler sees one.

    struct Row {...};   in namespace bertprep of src/a.h
    class Row {...};    in namespace bertprep of src/b.cpp: a fault
"""

import re

import frame

CODE = (".h", ".cpp", ".h.in")
# What may hold a brace or a keyword without meaning it, then the words and signs that matter.
PIECE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"""
    r"""|^[ \t]*\#(?:[^\n\\]|\\.)*|[A-Za-z_]\w*|::|[{}();=<>]|\S""", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"\b(?:class|struct|union|enum(?: class| struct)?)((?: \w+)*?) (\w+)(?: final)?(?: : .*)?$")
ATTRIBUTE = re.compile(r"\[ \[ .*? \] \] |alignas \( [^()]* \) ")
ALIAS = re.compile(r"^(?:template <.*> )?using (\w+) = ")


def statements(text):
    """(namespace, words) of declarations at namespace scope, up to its ; or {. An anonymous namespace is called "~"."""
    scopes, words, depth = [], [], 0
    for match in PIECE.finditer(text):
        piece = match[0]
        if piece.startswith(("//", "/*", "#")) or piece.lstrip().startswith("#"):
            continue
        if piece[0] in "\"'" or piece.startswith('R"'):
            piece = '""'
        if depth:
            depth += {"{": 1, "}": -1}.get(piece, 0)
            if depth == 0:
                words = []
        elif piece == "}":
            if scopes:
                scopes.pop()
            words = []
        elif piece == "{":
            if words and (words[0] == "namespace" or words[:2] == ["inline", "namespace"]):
                scopes.append("".join(words[words.index("namespace") + 1:]) or "~")
            elif words[:1] == ["extern"] and words[1:] == ['""']:
                scopes.append("")
            else:
                yield "::".join(filter(None, scopes)), " ".join(words)
                depth = 1
            words = []
        elif piece == ";":
            yield "::".join(filter(None, scopes)), " ".join(words) + " ;"
            words = []
        else:
            words.append(piece)


def name_of(statement):
    """The type that a statement defines; "" where it defines none."""
    statement = ATTRIBUTE.sub("", statement)
    alias = ALIAS.match(statement)
    if alias:
        return alias[1]
    if statement.endswith(";") or "(" in statement or "=" in statement.split("> ")[-1]:
        return ""
    kind = TYPE.search(re.sub(r"^template < .* > (?=class|struct|union)", "", statement))
    return kind[2] if kind else ""


def faults(root):
    places = {}
    for file in frame.project_files(root, *CODE):
        if not frame.is_product(file):
            continue
        text = (root / file).read_text(encoding="utf-8", errors="surrogateescape")
        for namespace, statement in statements(text):
            name = name_of(statement)
            if name and "~" not in namespace.split("::"):
                places.setdefault(f"{namespace}::{name}", {})[file] = None
    return [f"{name} is defined in {' and in '.join(files)}: call each what it is"
            for name, files in sorted(places.items()) if len(files) > 1]


def in_namespace(text):
    return f"namespace bertprep {{\n{text}\n}}  // namespace bertprep\n"


CASES = [
    frame.Case({"src/a.h": in_namespace("struct Row;\nstruct Row { int n = 0; };"),
                "src/b.cpp": in_namespace("namespace {\nstruct Row {};\n}  // namespace\nstruct Row* g();\n"
                                          "struct Table {\n  struct Row {};\n};\nvoid f() { struct Row {}; }\n"
                                          "struct Table::Cell {};"),
                "src/c.h": "namespace bertprep::cli {\nclass Row {};\n}\n",
                "src/d.h": in_namespace("// struct Row {\nconst char* k = \"struct Row {\";\nchar c = '{';\n"
                                        "int n = 1'000;"),
                "tests/e.h": in_namespace("struct Row {};"),
                "src/e.h": in_namespace("#ifdef A\nclass Cell {};\n#else\nusing Cell = int;\n#endif")}),
    frame.Case({"src/a.h": in_namespace("struct Row { int n; };"), "src/b.h": in_namespace("class Row final {};")},
               "bertprep::Row is defined in src/a.h and in src/b.h"),
    frame.Case({"src/a.h": in_namespace("struct Row : Base<int> {};"),
                "tools/b.cpp": in_namespace("enum class Row : int {};")}, "bertprep::Row is defined"),
    frame.Case({"include/a.h": in_namespace("template <class T>\nstruct Row {};"),
                "src/b.h": in_namespace("using Row = int;")}, "bertprep::Row is defined"),
    frame.Case({"src/a.cpp": in_namespace("void f() { if (a) { b(); } }\nstruct [[nodiscard]] Row {};"),
                "src/b.cpp": "namespace bertprep {\nnamespace cli {\nvoid g() {}\n}\nunion Row { int n; };\n}"},
               "bertprep::Row is defined"),
    frame.Case({"src/a.h": "class Row {};", "src/b.h": 'extern "C" {\nclass Row {};\n}'}, "::Row is defined"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
