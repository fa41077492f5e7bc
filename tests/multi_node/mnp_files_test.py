"""The files beside the entry point: the job definition, the image, the page. What they name must be there."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = ROOT / "scripts" / "batch"
SKIPPED = 77


def text(*names):
    return "".join((ROOT / name).read_text(encoding="utf-8") for name in names)


def scripts():
    return [BATCH / "mnp_entrypoint.sh", *sorted((BATCH / "mnp").glob("*.sh"))]


def variables_of_the_scripts():
    """Those that are read; MNP_ENTRYPOINT is the entry point's own word to its ranks."""
    found = set()
    for script in scripts():
        found |= set(re.findall(r"\b(?:MNP|AWS_BATCH)_[A-Z0-9_]+\b", script.read_text(encoding="utf-8")))
    return found - {"MNP_ENTRYPOINT"}


def faults_of_syntax():
    runs = [subprocess.run(["bash", "-n", script], capture_output=True, text=True) for script in scripts()]
    return [run.stderr for run in runs if run.returncode != 0]


def faults_of_page():
    """The page explains each variable and no other."""
    page = text("docs/how-to/multi-node.md")
    named = set(re.findall(r"`((?:MNP|AWS_BATCH)_[A-Z0-9_]+)", page))
    return [f"docs/how-to/multi-node.md and scripts/batch/mnp differ in {name}"
            for name in sorted(named ^ variables_of_the_scripts())]


def faults_of_definition(definition):
    found = []
    container = definition["nodeProperties"]["nodeRangeProperties"][0]["container"]
    program, *words = container["command"]
    options = text("trainer/docs/berttrain.md")
    found += [f"the job definition's {word} is no option of {program}" for word in words
              if word.startswith("--") and f"{word} " not in options]
    known = variables_of_the_scripts() | {"HDF5_USE_FILE_LOCKING"}
    found += [f"the job definition's {variable['name']} means nothing" for variable in container["environment"]
              if variable["name"] not in known]
    retried = [rule.get("onExitCode") for rule in definition["retryStrategy"]["evaluateOnExit"]]
    return found + [f"{code} is not retried" for code in ("75", "143", "205") if code not in retried]


def faults_of_image():
    """What the image copies from here exists, and its entry point is the one."""
    image = text("scripts/batch/mnp.Dockerfile")
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*)", image, re.MULTILINE) for word in line.split()[:-1]]
    found = [f"mnp.Dockerfile copies {name}, which does not exist" for name in copied if not (ROOT / name).exists()]
    return found + ([] if 'ENTRYPOINT ["mnp_entrypoint.sh"]' in image else ["mnp.Dockerfile has another entry point"])


def main():
    definition = json.loads(text("scripts/batch/aws/jobdef_mnp.json"))
    found = faults_of_syntax() + faults_of_page() + faults_of_image() + faults_of_definition(definition)
    sys.path.insert(0, str(ROOT / "tests" / "cluster"))
    try:
        import batch_model
    except ModuleNotFoundError as missing:
        print("".join(fault + "\n" for fault in found), end="")
        print(f"skipped: AWS's model of Batch, no module {missing.name}")
        sys.exit(1 if found else SKIPPED)
    found += batch_model.validate("RegisterJobDefinition", definition)
    print("".join(fault + "\n" for fault in found), end="")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
