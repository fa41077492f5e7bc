"""What a power cut leaves: files and names that were never forced to the disk may be lost or hold other bytes."""

import os
import pathlib

MODES = ("empty", "halve", "zero", "drop")


def not_durable(calls):
    """From the trace of a killed program: the inodes with bytes that no sync has covered, with how many from the start
    are covered, and such names. Journals only grow. A name that another file had before stays: file systems give it
    the one file or the other.
    """
    data, names, synced, old_names = {}, {}, {}, set()
    for call in calls:
        if call.name in ("open_read", "read") and call.inode != 0 and call.path not in names:
            old_names.add(call.path)
        if call.name in ("write", "truncate"):
            data[call.inode] = synced.get(call.inode, 0) if call.path.endswith(".journal") else 0
        elif call.name in ("rename", "link") and call.inode != 0:  # 0: there was nothing to rename
            if call.path not in old_names:
                names[call.path] = call.inode
            if call.name == "rename":
                names.pop(call.old_path, None)
                old_names.discard(call.old_path)
        elif call.name == "unlink":
            old_names.discard(call.path)
        elif call.name == "open_write" and call.inode == 0:  # it makes the file
            names[call.path] = call.inode
        elif call.name == "sync":
            data.pop(call.inode, None)
            synced[call.inode] = call.size
            names = {name: inode for name, inode in names.items() if str(pathlib.Path(name).parent) != call.path}
        elif call.name == "sync_all":
            data, names = {}, {}
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
            begin, size = data[path.stat().st_ino], path.stat().st_size
            with path.open("r+b") as file:
                if mode == "zero":
                    file.seek(begin)
                    file.write(bytes(size - begin))
                else:
                    os.truncate(file.fileno(), (begin + size) // 2 if mode == "halve" else begin)
            hit.append(str(path))
    return hit
