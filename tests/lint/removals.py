"""Removals: files go only in the places named here, each of which knows that they are the program's own.

What a run downloaded or made and does not keep is src/pipeline/records/owned_files.cpp's alone to remove. The other
files remove what they wrote themselves, under names that only the program gives. Folders are listed, and removed with
all below them, by bertprep/io/folder.h alone: std::filesystem's ways end the program where memory runs short.
"""

import re

import frame

REMOVES = re.compile(r"(?:\bremove_tree|\b(?:fs|filesystem|std)::remove|(?<!\w)::(?:unlink|unlinkat|rmdir))\s*\(")
ENDS_THE_PROGRAM = re.compile(r"\bdirectory_iterator\b|\brecursive_directory_iterator\b|\bremove_all\s*\(")
# Which file may, and what it removes.
PLACES = {
    "src/pipeline/records/owned_files.cpp": "what a record says was downloaded or made, inside WORK",
    "src/io/folder.h": "declares remove_tree(), whose callers stand here",
    "src/io/folder.cpp": "what the callers of remove_tree() hand it",
    # io: unfinished files of their own.
    "src/io/file_system.cpp": "the empty file by which it took a name, where the rename failed",
    "src/io/pending_file.cpp": "unfinished files, by their .partial names",
    "src/io/record_files.cpp": "documents of tasks in a hidden folder",
    "src/io/resumable_file.cpp": "an unfinished download, by its open descriptor",
    # fetch: in the hidden folder beside the downloads, and a folder that was unpacked, when it is unpacked again.
    "src/fetch/download.cpp": "the state of an unfinished download",
    "src/fetch/fetch_vocab.cpp": "an archive in the hidden folder, once its member is out",
    "src/fetch/dataset_files.cpp": "Parquet files in the hidden folder, once their rows are out",
    "src/fetch/unpack.cpp": "unfinished members, and an unpacked folder that is replaced",
    # pipeline: state in hidden folders, and files that a record of the folder names.
    "src/pipeline/sequences/sequence_set.cpp": "outputs of its records, and its manifest",
    "src/pipeline/records/output_folder.cpp": "outputs of records, records, unfinished files",
    "src/pipeline/records/manifest_of_folder.cpp": "a manifest whose shards are replaced by --force",
    "src/pipeline/records/dataset_vocab.cpp": "the vocabulary of an earlier run beside its shards, or any by --force",
    "src/pipeline/records/announced_shards.cpp": "an announcement in a hidden folder",
    "src/pipeline/records/saved_index.cpp": "a sentence index in a hidden folder",
    "src/pipeline/records/reject_file.cpp": "rejects in a hidden folder",
    "src/pipeline/records/progress_journal.cpp":
        "in hidden folders the report of a process at work and the description of a new run without results; "
        "folders that are empty",
    "src/pipeline/plan/plan.cpp": "the trial run in the hidden folder of a plan",
    "src/pipeline/plan/plan_sample.cpp": "the sample in the hidden folder of a plan",
    "src/pipeline/stages/format_stage.cpp": "the origins of an earlier call, where the formatted file is its own",
    "src/pipeline/stages/unfinished_format.cpp": "what a killed call left in the hidden folder, under its own names",
    "src/pipeline/stages/extract_stage.cpp": "files AA/wiki_00 of an earlier call, in a folder marked as its own",
    # Array jobs: WORK/array/JOB has only their state.
    "src/pipeline/array/array_job.cpp": "shards made again by --force, the mark of a finished job, an announcement",
    "src/pipeline/array/array_work.cpp": "text shards that it has written among the job's passing data",
    "src/pipeline/array/array_finish.cpp": "passing data of the job, and origins of an earlier call",
    # Tools: the name of a file that mkostemp() has just made.
    "tools/console/standard_input.cpp": "the name of the file that keeps standard input",
    # Trainer: checkpoint_STEP.safetensors in the folder of checkpoints.
    "trainer/checkpoint_folder.cpp": "older checkpoints, and those left unfinished, by their names",
}


def faults(root):
    found = []
    for name in frame.project_files(root, ".cpp", ".h"):
        if not frame.is_product(name):
            continue
        found += [f"{name}:{number}: ends the program where memory runs short; bertprep/io/folder.h does not"
                  for number, text in frame.lines_of(root, name) if ENDS_THE_PROGRAM.search(text.split("//")[0])]
        if name in PLACES:
            continue
        found += [f"{name}:{number}: removes a file; src/pipeline/records/owned_files.h is for that"
                  for number, text in frame.lines_of(root, name) if REMOVES.search(text.split("//")[0])]
    return found


CASES = [
    frame.Case({"src/pipeline/records/owned_files.cpp": "remove_tree(folder);\n", "tests/a.cpp": "fs::remove(file);\n",
                "src/pipeline/a.cpp": "owned.remove_outputs(folder, record); // fs::remove(x)\nremove_unkept();\n"}),
    frame.Case({"tools/run/run_flags.cpp": "for (file : files) remove_tree(file);\n"}, "tools/run/run_flags.cpp:1"),
    frame.Case({"src/io/folder.cpp": "\nfs::remove_all(path);\n"}, "src/io/folder.cpp:2"),
    frame.Case({"src/io/a.cpp": "for (auto& entry : fs::directory_iterator(path)) take(entry);\n"}, "src/io/a.cpp:1"),
    frame.Case({"src/pipeline/a.cpp": "\nstd::filesystem::remove(path);\n"}, "src/pipeline/a.cpp:2"),
    frame.Case({"src/text/a.cpp": "if (::unlink(path.c_str()) != 0) return;\n"}, "removes a file"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
