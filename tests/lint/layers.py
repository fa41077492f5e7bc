"""Layers: a room's files include only the rooms that its CMakeLists.txt names, and what these may use in turn.

Public headers include only standard and public headers; there are at most 25, and bertprep.h includes all but the
trainer's. Tools see public headers and those of src, users public ones alone.
The rooms of bertprep::shard use no room outside it. A folder in a room may be a room of its own: wiki/dump; it may
include the public headers of the room around it.
"""

import re

import frame
import includes

ROOM = re.compile(r"bertprep_add_room\(\s*NAME\s+([\w/]+)((?:\s+USES(?:\s+[a-z][\w/]*)+)?)")
ROOM_LIST = re.compile(r"(src(/\w+)+|trainer(/distributed)?)/CMakeLists\.txt")
SHARD_LIBRARY = re.compile(r"foreach\(room ([\w ]+)\)\s*target_sources\(bertprep_shard ")
# Of no room.
ROOMLESS = ("bertprep/version.h", "bertprep/bertprep.h")
MOST_PUBLIC_HEADERS = 25
PUBLIC = ("include/", "trainer/include/")
PROGRAMS = ("tools/", "trainer/program/")
PLACES = ("include", "src", "tools")
TRAINER_PLACES = (*PLACES, "trainer/include", ".")
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")


def rooms_used(root):
    """Room -> the rooms that its CMakeLists.txt names, and the faults of these lists."""
    used, faults = {}, []
    for name in frame.project_files(root, "CMakeLists.txt"):
        if not ROOM_LIST.fullmatch(name):
            continue
        match = ROOM.search((root / name).read_text())
        if not match or match[1] != name.removeprefix("src/").removesuffix("/CMakeLists.txt"):
            faults.append(f"{name}: no bertprep_add_room of the folder's name")
            continue
        used[match[1]] = set(match[2].split()[1:])
    return used, faults


def closure(room, used):
    """All rooms that may be included from `room`, itself left out unless the rooms use each other in a circle."""
    reached, waiting = set(), list(used.get(room, ()))
    while waiting:
        other = waiting.pop()
        if other not in reached:
            reached.add(other)
            waiting.extend(used.get(other, ()))
    return reached


def room_of(path, rooms):
    """The room that a source or a header belongs to, or None."""
    folder = path
    for prefix in ("src/", *PUBLIC, "bertprep/"):
        folder = folder.removeprefix(prefix)
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in rooms:
            return folder
    return None


def faults_of_room_file(name, line, kind, target, allowed, rooms):
    public = name.startswith(PUBLIC)
    if kind == "angle":
        if public and not STANDARD_HEADER.fullmatch(target):
            return [f"{name}:{line}: <{target}> is no standard header; a public header includes nothing else"]
        return []
    if target in ROOMLESS:
        return []
    if public and not target.startswith("bertprep/"):
        return [f'{name}:{line}: "{target}" is no public header, but the header that includes it is']
    room = room_of(target, rooms)
    if room is None:
        return [f'{name}:{line}: "{target}" is in no room; write bertprep/ROOM/X.h or ROOM/X.h']
    is_of_parent = target.startswith("bertprep/") and (room_of(name, rooms) or "").startswith(room + "/")
    if room not in allowed and not is_of_parent:
        return [f'{name}:{line}: "{target}" is of room {room}, which room {room_of(name, rooms)} does not use']
    return []


def faults_of_rooms(root, used):
    faults = []
    for name in includes.code_files(root, "src", "include", "trainer"):
        if name.startswith(PROGRAMS):
            continue
        room = room_of(name, used)
        if room is None and name.removeprefix("include/") not in ROOMLESS:
            faults.append(f"{name}: in no room")
            continue
        allowed = closure(room, used) | {room} if room else set(used)
        for line, kind, target in includes.includes_of(root, name):
            faults += faults_of_room_file(name, line, kind, target, allowed, used)
    return faults


def faults_of_tools(root):
    faults = []
    for name in includes.code_files(root, "tools", "trainer"):
        places = TRAINER_PLACES if name.startswith("trainer/") else PLACES
        for line, kind, target in includes.includes_of(root, name) if name.startswith(PROGRAMS) else ():
            is_made = target.endswith(("/embedded.h", "/functions.h"))  # when the build is configured
            if kind == "quote" and not is_made and not any((root / place / target).is_file() for place in places):
                faults.append(f'{name}:{line}: "{target}" is neither a public header nor one of src/ or tools/')
    return faults


def faults_of_order(root, used):
    faults = []
    for room, names in used.items():
        faults += [f"src/{room}/CMakeLists.txt: uses {name}, which is no room" for name in names - set(used)]
        if room in closure(room, used):
            faults.append(f"src/{room}/CMakeLists.txt: room {room} uses itself in a circle")
    match = SHARD_LIBRARY.search((root / "src/CMakeLists.txt").read_text())
    if not match:
        return faults + ["src/CMakeLists.txt: no list of the rooms of bertprep_shard"]
    library = {name.replace("_", "/") for name in match[1].split()}
    for room in sorted(library):
        outside = closure(room, used) - library
        if outside:
            faults.append(f"src/CMakeLists.txt: bertprep_shard holds {room}, which uses {', '.join(sorted(outside))}")
    return faults


def faults_of_public_headers(root):
    headers = [name for name in includes.code_files(root, "include") if name.endswith(".h")]
    faults = []
    if len(headers) > MOST_PUBLIC_HEADERS:
        faults.append(f"include: {len(headers)} public headers, at most {MOST_PUBLIC_HEADERS}")
    everything = "include/bertprep/bertprep.h"
    if everything not in headers:
        return faults
    named = {"include/" + target for _, _, target in includes.includes_of(root, everything)} | {everything}
    return faults + [f"{everything}: does not include {name.removeprefix('include/')}"
                     for name in headers if name not in named]


def faults(root):
    used, found = rooms_used(root)
    if not used:
        return found + ["src: no rooms"]
    found += faults_of_order(root, used) + faults_of_rooms(root, used) + faults_of_tools(root)
    return found + faults_of_public_headers(root)


def tree(**changed):
    """A sound tree of four rooms; an argument a__b_h stands for another text of its file."""
    files = {
        "src/CMakeLists.txt": "foreach(room base shard)\n  target_sources(bertprep_shard PRIVATE x)\nendforeach()\n",
        "src/base/CMakeLists.txt": "bertprep_add_room(NAME base SOURCES error.cpp)\n",
        "src/text/CMakeLists.txt": "bertprep_add_room(NAME text USES base SOURCES a.cpp)\n",
        "src/token/CMakeLists.txt": "bertprep_add_room(NAME token USES text\n  SOURCES b.cpp)\n",
        "src/shard/CMakeLists.txt": "bertprep_add_room(NAME shard USES base SOURCES c.cpp)\n",
        "include/bertprep/base/error.h": "#include <string>\n",
        "include/bertprep/text/a.h": '#include "bertprep/base/error.h"\n',
        "src/text/a.cpp": '#include "bertprep/text/a.h"\n#include <unicode/uchar.h>\n#include "text/own.h"\n',
        "src/token/b.cpp": '#include "text/own.h"\n#include "bertprep/base/error.h"\n#include "bertprep/version.h"\n',
        "src/shard/c.cpp": '#include "bertprep/base/error.h"\n',
        "tools/main.cpp": '#include "bertprep/text/a.h"\n#include "console/console.h"\n#include <CLI/CLI.hpp>\n',
        "tools/console/console.h": "",
    }
    files.update({name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()})
    return files


CASES = [
    frame.Case(tree()),
    frame.Case(tree(src__shard__c_dot_cpp='#include "text/own.h"\n'), '"text/own.h" is of room text, which room shard'),
    frame.Case(tree(src__text__a_dot_cpp='#include "bertprep/token/b.h"\n'), "which room text does not use"),
    frame.Case(tree(src__text__a_dot_cpp='#include "own.h"\n'), '"own.h" is in no room'),
    frame.Case(tree(src__text__marks__CMakeLists_dot_txt="bertprep_add_room(NAME text/marks USES base SOURCES m.cpp)\n",
                    src__text__marks__m_dot_cpp='#include "text/marks/m.h"\n#include "text/own.h"\n'),
               '"text/own.h" is of room text, which room text/marks'),
    frame.Case(tree(src__text__marks__CMakeLists_dot_txt="bertprep_add_room(NAME text/marks USES base SOURCES m.cpp)\n",
                    src__text__a_dot_cpp='#include "text/marks/m.h"\n'),
               '"text/marks/m.h" is of room text/marks, which room text does'),
    frame.Case(tree(src__text__CMakeLists_dot_txt="bertprep_add_room(NAME text USES base text/marks SOURCES a.cpp)\n",
                    src__text__marks__CMakeLists_dot_txt="bertprep_add_room(NAME text/marks USES base SOURCES m.cpp)\n",
                    src__text__marks__m_dot_cpp='#include "bertprep/text/a.h"\n')),
    frame.Case(tree(include__bertprep__text__a_dot_h="#include <unicode/uchar.h>\n"), "no standard header"),
    frame.Case(tree(include__bertprep__text__a_dot_h='#include "text/own.h"\n'), "no public header"),
    frame.Case(tree(tools__main_dot_cpp='#include "text/gone.h"\n'), "neither a public header nor one of src/"),
    frame.Case(tree(**{f"include__bertprep__text__h{i}_dot_h": "" for i in range(25)}),
               "27 public headers, at most 25"),
    frame.Case(tree(include__bertprep__bertprep_dot_h='#include "bertprep/text/a.h"\n'),
               "does not include bertprep/base/error.h"),
    frame.Case(tree(include__bertprep__stray_dot_h=""), "include/bertprep/stray.h: in no room"),
    frame.Case(tree(src__text__CMakeLists_dot_txt="bertprep_add_room(NAME text USES token SOURCES a.cpp)"), "circle"),
    frame.Case(tree(src__shard__CMakeLists_dot_txt="bertprep_add_room(NAME shard USES text SOURCES c.cpp)"),
               "bertprep_shard holds shard, which uses text"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
