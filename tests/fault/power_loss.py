"""What a power cut leaves: files and names that were never forced to the disk may be lost or hold other bytes."""

import os
import pathlib

MODES = ("empty", "halve", "zero", "drop")


def not_durable(calls):
    """From the trace of a killed program: the inodes whose bytes, and the names, that no sync has covered."""
    data, names = set(), {}
    for call in calls:
        if call.name in ("write", "truncate"):
            data.add(call.inode)
        elif call.name in ("rename", "link") and call.inode != 0:  # 0: there was nothing to rename
            names[call.path] = call.inode
            if call.name == "rename":
                names.pop(call.old_path, None)
        elif call.name == "open_write":
            names.setdefault(call.path, call.inode)
        elif call.name == "sync":
            data.discard(call.inode)
            names = {name: inode for name, inode in names.items() if str(pathlib.Path(name).parent) != call.path}
        elif call.name == "sync_all":
            data, names = set(), {}
    return data, set(names)


def lose(folder, calls, mode):
    """Does to the files of `folder` what `mode` says; returns the places that were hit."""
    data, names = not_durable(calls)
    hit = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        if mode == "drop":
            if str(path) in names:
                path.unlink()
                hit.append(str(path))
        elif path.stat().st_ino in data:
            size = path.stat().st_size
            with path.open("r+b") as file:
                if mode == "zero":
                    file.write(bytes(size))
                else:
                    os.truncate(file.fileno(), size // 2 if mode == "halve" else 0)
            hit.append(str(path))
    return hit
