"""Standard headers: a file, or its own header, includes what it uses of those that other headers bring along in one
release of a compiler and not in the next. No file uses views of <ranges>, which clang 14 can't compile with GCC's
library.
"""

import re

import frame
from includes import code_files, includes_of

ALGORITHMS = """
    adjacent_find all_of any_of none_of for_each find_if find_if_not count count_if mismatch copy copy_if copy_n
    transform replace fill fill_n generate remove remove_if unique reverse rotate shuffle sort stable_sort
    partial_sort nth_element lower_bound upper_bound equal_range binary_search merge includes set_union
    set_difference set_intersection push_heap pop_heap make_heap min max minmax min_element max_element
    minmax_element lexicographical_compare clamp is_sorted partition stable_partition
""".split()
NEEDS = {
    "algorithm": rf"std::(ranges::)?({'|'.join(ALGORITHMS)})\(",
    "numeric": r"std::(accumulate|iota|reduce|gcd|lcm|partial_sum|inner_product|exclusive_scan|inclusive_scan)\(",
    "cstring": r"std::(memcpy|memcmp|memset|memmove|memchr|strlen|strcmp|strerror)\(",
    "cmath": r"std::(sqrt|floor|ceil|pow|exp|isnan|isinf|isfinite|lround|llround|round|fabs|log2|log10|trunc)\(",
    "limits": r"std::numeric_limits<",
    "sstream": r"std::[io]?stringstream\b",
    "fstream": r"std::[io]fstream\b",
    "thread": r"std::j?thread\b",
    "atomic": r"std::atomic\b",
    "charconv": r"std::(from_chars|to_chars)\(",
    "bit": r"std::(bit_cast|countr_zero|countl_zero|popcount|bit_width|has_single_bit|endian|bit_ceil|rotl)\b",
}
VIEWS = re.compile(r"std::(views|ranges::views)::|#\s*include <ranges>")
NEEDS = {header: re.compile(use) for header, use in NEEDS.items()}


def own_header(name, included):
    """The header among `included` that a source belongs to, as a file of the project, or None."""
    stem = name.removesuffix(".cpp")
    for header in included:
        if header.endswith(".h") and stem.endswith("/" + header.removesuffix(".h").split("/")[-1]):
            return header
    return None


def faults(root):
    names = code_files(root, "include", "src", "tools", "tests", "trainer")
    includes = {name: [header for _, _, header in includes_of(root, name)] for name in names}
    found = []
    for name in names:
        has = set(includes[name])
        own = own_header(name, includes[name]) if name.endswith(".cpp") else None
        for header in (other for other in names if own and ("/" + other).endswith("/" + own)):
            has.update(includes[header])
        missing = {}
        for number, line in frame.lines_of(root, name):
            code = line.split("//")[0]
            if VIEWS.search(code):
                found.append(f"{name}:{number}: clang 14 can't compile views of <ranges>: write a loop")
            for header, use in NEEDS.items():
                if header not in has and use.search(code):
                    missing.setdefault(header, number)
        found += [f"{name}:{number}: needs #include <{header}>" for header, number in missing.items()]
    return found


CASES = [
    frame.Case({"src/io/a.cpp": '#include <algorithm>\nint x = std::min(1, 2); // std::iota(\n'}),
    frame.Case({"src/io/a.h": "#include <cmath>\n", "src/io/a.cpp": '#include "io/a.h"\nx = std::sqrt(2.0);\n'}),
    frame.Case({"src/io/b.h": "#include <cmath>\n", "src/io/a.cpp": '#include "io/b.h"\nx = std::sqrt(2.0);\n'},
               "src/io/a.cpp:2: needs #include <cmath>"),
    frame.Case({"src/io/a.cpp": "\nstd::ranges::sort(x);\n"}, "src/io/a.cpp:2: needs #include <algorithm>"),
    frame.Case({"src/io/a.cpp": "for (auto part : std::views::split(x, ','))\n"}, "clang 14 can't compile views"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
