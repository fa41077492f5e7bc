"""Whether Kubernetes would accept a Job, as far as can be checked without a cluster.

The keys, types and values are those of the API reference of batch/v1 and v1 (Kubernetes 1.29 or newer) that `submit
kubernetes` uses, no others; the rules across fields are those that the reference states in prose.
"""

import re

LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
QUANTITY = re.compile(r"[0-9]+(Mi|Gi|m)?")
MOST_NAME = 63
MOST_SUFFIX = 5  # that the API server appends to generateName


def one_of(*values):
    return lambda value: value in values


def number(least, most=2**31 - 1):
    return lambda value: isinstance(value, int) and least <= value <= most


def text(value):
    return isinstance(value, str) and value != ""


def quantity(value):
    return isinstance(value, str) and QUANTITY.fullmatch(value) is not None


def label(value):
    return isinstance(value, str) and len(value) <= MOST_NAME and LABEL.fullmatch(value) is not None


def path(value):
    return isinstance(value, str) and value.startswith("/") and ":" not in value


def labels(value):
    return all(re.fullmatch(r"([a-z0-9.-]+/)?[A-Za-z0-9][A-Za-z0-9._-]*", key) for key in value) and \
        all(re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?", item) for item in value.values())


# A list is of such members; of a dictionary, keys that end in ! must be there.
ENV = [{"name!": text, "value": text, "valueFrom": {"fieldRef!": {"fieldPath!": one_of("metadata.name")}}}]
AMOUNTS = {"cpu": quantity, "memory": quantity}
CONTAINER = {"name!": label, "image!": text, "args!": [text], "env": ENV,
             "resources": {"requests": AMOUNTS, "limits": AMOUNTS},
             "volumeMounts": [{"name!": label, "mountPath!": path}]}
POD = {"restartPolicy!": one_of("Never"), "activeDeadlineSeconds": number(1), "containers!": [CONTAINER],
       "volumes": [{"name!": label, "persistentVolumeClaim!": {"claimName!": text}}]}
RULE = {"action!": one_of("Count", "FailIndex", "FailJob", "Ignore"),
        "onExitCodes": {"containerName": label, "operator!": one_of("In", "NotIn"), "values!": [number(0)]},
        "onPodConditions": [{"type!": text, "status!": one_of("True", "False", "Unknown")}]}
SPEC = {"completionMode": one_of("Indexed", "NonIndexed"), "completions": number(0), "parallelism": number(0),
        "backoffLimit": number(0), "backoffLimitPerIndex": number(0), "podFailurePolicy": {"rules!": [RULE]},
        "template!": {"spec!": POD}}
JOB = {"apiVersion!": one_of("batch/v1"), "kind!": one_of("Job"),
       "metadata!": {"generateName!": text, "namespace": label, "labels": labels}, "spec!": SPEC}


def faults_of(model, value, where="job"):
    if callable(model):
        return [] if model(value) else [f"{where}: {value!r}"]
    if isinstance(model, list):
        if not isinstance(value, list):
            return [f"{where}: no list"]
        return [fault for place, item in enumerate(value) for fault in faults_of(model[0], item, f"{where}[{place}]")]
    if not isinstance(value, dict):
        return [f"{where}: no object"]
    known = {key.rstrip("!"): member for key, member in model.items()}
    found = [f"{where}: no {key[:-1]}" for key in model if key.endswith("!") and key[:-1] not in value]
    found += [f"{where}: unknown key {key}" for key in value if key not in known]
    members = [(known[key], value[key], f"{where}.{key}") for key in value if key in known]
    return found + [fault for member in members for fault in faults_of(*member)]


def rules_of(job):
    spec, pod = job["spec"], job["spec"]["template"]["spec"]
    indexed = spec.get("completionMode") == "Indexed"
    name = len(job["metadata"]["generateName"]) + MOST_SUFFIX
    name += len(f"-{spec['completions'] - 1}") if indexed else 0
    if name > MOST_NAME or not LABEL.fullmatch(job["metadata"]["generateName"] + "x"):
        yield "the names of the pods"
    if "backoffLimitPerIndex" in spec and not indexed:
        yield "backoffLimitPerIndex is of Indexed Jobs"
    if indexed and spec["completions"] > 100_000:
        yield "too many completions"
    containers = {container["name"] for container in pod["containers"]}
    for rule in spec.get("podFailurePolicy", {}).get("rules", []):
        if ("onExitCodes" in rule) == ("onPodConditions" in rule):
            yield "a rule has one kind of requirement"
        if rule["action"] == "FailIndex" and "backoffLimitPerIndex" not in spec:
            yield "FailIndex needs backoffLimitPerIndex"
        codes = rule.get("onExitCodes")
        if codes and (codes["values"] != sorted(set(codes["values"])) or codes.get("containerName") not in containers):
            yield "the exit codes of a rule"
    volumes = {volume["name"] for volume in pod.get("volumes", [])}
    for container in pod["containers"]:
        if not {mount["name"] for mount in container.get("volumeMounts", [])} <= volumes:
            yield "a mount without its volume"


def validate(job):
    """What is wrong, one line each."""
    return faults_of(JOB, job) or list(rules_of(job))
