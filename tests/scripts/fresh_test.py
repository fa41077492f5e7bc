#!/usr/bin/env python3
"""The scripts for fresh machines: they refuse unknown options, and remove only their own files. All scripts: shells
read them.

    fresh_test.py
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
TRIALS = ["fresh_machine.sh", "fresh_images.sh", "arm64.sh"]
ALONE = ["unshare", "--mount"]
MAY_MOUNT = os.geteuid() == 0 and subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class Shells(unittest.TestCase):
    def test_read_every_script(self):
        scripts = sorted(SCRIPTS.rglob("*.sh"))
        self.assertGreater(len(scripts), 15)
        for script in scripts:
            self.assertEqual(run(["bash", "-n", script]).stderr, "", script)

    def test_find_nothing_to_warn_of(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("no shellcheck")
        scripts = [SCRIPTS / name for name in ("steps.sh", "install-deps.sh", "package.sh", "quickstart.sh", "test.sh",
                                              *TRIALS)]
        found = run(["shellcheck", "-x", *scripts, *(SCRIPTS / "fresh").glob("*.sh")], cwd=SCRIPTS.parent)
        self.assertEqual((found.stdout, found.returncode), ("", 0))


class Usage(unittest.TestCase):
    def test_is_shown_for_what_is_unknown(self):
        for name in TRIALS:
            for arguments in (["--bogus"], ["--folder"], ["--mirror"]):
                shown = run([SCRIPTS / name, *arguments])
                self.assertEqual(shown.returncode, 2)
                self.assertIn(f"scripts/{name}", shown.stderr)
                self.assertIn("--keep ", shown.stderr)
                self.assertNotIn("set -", shown.stderr)


@unittest.skipUnless(MAY_MOUNT, "may not mount")
class Removal(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "theirs").mkdir()
        (self.folder / "theirs/kept").write_text("kept")
        (self.folder / "root/srv/shared").mkdir(parents=True)

    def shell(self, script):
        return run([*ALONE, "bash", "-c", f"set -euo pipefail; . '{SCRIPTS}/fresh/root.sh'; {script}"], cwd=self.folder)

    def test_leaves_a_root_with_something_mounted_in_it(self):
        left = self.shell("mount --bind theirs root/srv/shared; remove_tree root")
        self.assertEqual(left.returncode, 1)
        self.assertIn("is mounted in", left.stderr)
        self.assertTrue((self.folder / "theirs/kept").exists())
        self.assertTrue((self.folder / "root").exists())

    def test_takes_a_root_with_nothing_mounted_in_it(self):
        mounts = "mount --bind theirs root/srv/shared; umount root/srv/shared"
        taken = self.shell(f"{mounts}; remove_tree root; remove_tree root")
        self.assertEqual((taken.returncode, taken.stderr), (0, ""))
        self.assertFalse((self.folder / "root").exists())
        self.assertTrue((self.folder / "theirs/kept").exists())

    def test_follows_no_link_out_of_a_root(self):
        self.shell("ln -s ../theirs root/link; remove_tree root")
        self.assertFalse((self.folder / "root").exists())
        self.assertTrue((self.folder / "theirs/kept").exists())

    def test_ends_with_what_ran_in_a_namespace(self):
        mounts = "in_namespaces bash -c 'mount --bind theirs root/srv/shared; sleep 1000 & echo done'"
        ended = self.shell(f"{mounts}; remove_tree root")
        self.assertEqual((ended.returncode, ended.stdout), (0, "done\n"))
        self.assertTrue((self.folder / "theirs/kept").exists())

    def test_a_folder_that_exists_is_not_taken_for_roots(self):
        for name in TRIALS:
            if shutil.which("debootstrap") is None or shutil.which("buildah") is None:
                self.skipTest("no debootstrap or buildah")
            refused = run([SCRIPTS / name, "--folder", self.folder / "theirs"])
            self.assertEqual(refused.returncode, 2)
            self.assertTrue((self.folder / "theirs/kept").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
