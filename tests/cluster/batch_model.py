#!/usr/bin/env python3
"""Whether AWS Batch would accept a request, as far as can be checked without AWS.

    batch_model.py OPERATION REQUEST.json [DEFINITION.json]    one line a fault, exit status 1 when there are any

Three layers, the more binding one first: botocore's service model, which is AWS's own and which the aws CLI goes by
(unknown and missing keys, types); the enumerations of that model, which botocore itself does not look at; limits that
the model and the user guide state in prose. Roles, quotas of an account, and whether a queue, an image or a file system
exists are beyond it.
"""

import json
import pathlib
import re
import sys

import botocore.session
import botocore.validate

MODEL = botocore.session.get_session().get_service_model("batch")

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
VOLUME_NAME = re.compile(r"[A-Za-z0-9_-]{1,255}")
FILE_SYSTEM = re.compile(r"fs-([0-9a-f]{8}|[0-9a-f]{17})")
ACCESS_POINT = re.compile(r"fsap-([0-9a-f]{8}|[0-9a-f]{17})")
IMAGE = re.compile(r"[A-Za-z0-9_.:/#@-]{1,255}")
EXIT_CODE = re.compile(r"[0-9]{0,511}[0-9*]")
REASON = re.compile(r"[A-Za-z0-9.:\s]{0,511}[A-Za-z0-9.:\s*]")
NODES = re.compile(r"(\d*):(\d*)|(\d+)")
PLACEHOLDER = re.compile(r"Ref::([A-Za-z0-9_-]+)")
MOST_BYTES = {"RegisterJobDefinition": 24 * 1024, "SubmitJob": 30 * 1024}


class Faults(list):
    """What is wrong, one line each."""

    def unless(self, holds, text):
        if not holds:
            self.append(text)


def check_enumerations(shape, value, path, faults):
    if shape.type_name == "structure":
        for key, member in value.items():
            check_enumerations(shape.members[key], member, f"{path}.{key}", faults)
    elif shape.type_name == "list":
        for place, member in enumerate(value):
            check_enumerations(shape.member, member, f"{path}[{place}]", faults)
    elif shape.type_name == "map":
        for key, member in value.items():
            check_enumerations(shape.value, member, f"{path}.{key}", faults)
    elif shape.type_name == "string" and getattr(shape, "enum", None):
        # "The values aren't case sensitive" holds for the action of a retry alone.
        word = value.upper() if shape.name == "RetryAction" else value
        faults.unless(word in shape.enum, f"{path}: '{value}' is not one of {', '.join(shape.enum)}")


def check_retry(strategy, path, faults):
    rules = strategy.get("evaluateOnExit", [])
    attempts = strategy.get("attempts")
    faults.unless(attempts is None or 1 <= attempts <= 10, f"{path}.attempts: {attempts} is not in 1 to 10")
    faults.unless(not rules or attempts is not None, f"{path}: evaluateOnExit needs attempts")
    faults.unless(len(rules) <= 5, f"{path}.evaluateOnExit: {len(rules)} rules, at most 5")
    for place, rule in enumerate(rules):
        where = f"{path}.evaluateOnExit[{place}]"
        faults.unless(len(rule) > 1, f"{where}: an action without a condition")
        faults.unless(EXIT_CODE.fullmatch(rule.get("onExitCode", "0")), f"{where}.onExitCode: digits, '*' at the end")
        for key in ("onReason", "onStatusReason"):
            faults.unless(REASON.fullmatch(rule.get(key, "a")),
                          f"{where}.{key}: letters, digits, '.', ':' and blanks, '*' at the end")
    # A failure that no rule matches is retried: data that can't be read would be read ten times.
    last = rules[-1] if rules else {"action": "EXIT", "onReason": "*"}
    faults.unless(last["action"].upper() == "EXIT" and "*" in last.values() and len(last) == 2,
                  f"{path}: the last rule is not EXIT for everything, so any failure is retried")


def check_environment(variables, path, faults):
    names = [variable.get("name", "") for variable in variables]
    for name in names:
        faults.unless(name and not name.startswith("AWS_BATCH"), f"{path}: '{name}' is no name that a job may set")
    for name in {name for name in names if names.count(name) > 1}:
        faults.append(f"{path}: {name} is set twice")


def check_resources(resources, path, faults):
    for needed in resources:
        kind, value = needed["type"], needed["value"]
        faults.unless(re.fullmatch(r"[0-9]+", value) or (kind == "VCPU" and re.fullmatch(r"[0-9]*\.[0-9]+", value)),
                      f"{path}: {kind} '{value}' is not a number")
        if kind == "MEMORY" and value.isdigit():
            faults.unless(int(value) >= 4, f"{path}: {value} MiB of memory, at least 4")
    kinds = [needed["type"] for needed in resources]
    faults.unless(len(set(kinds)) == len(kinds), f"{path}: a kind of resource twice")


def check_file_system(volume, container, path, faults):
    access = volume.get("authorizationConfig", {})
    point, by_role = access.get("accessPointId"), access.get("iam") == "ENABLED"
    faults.unless(FILE_SYSTEM.fullmatch(volume["fileSystemId"]), f"{path}.fileSystemId: '{volume['fileSystemId']}'")
    faults.unless(point is None or ACCESS_POINT.fullmatch(point), f"{path}.accessPointId: '{point}'")
    faults.unless(not (point or by_role) or volume.get("transitEncryption") == "ENABLED",
                  f"{path}: an access point or a role needs transitEncryption ENABLED")
    faults.unless(not point or volume.get("rootDirectory", "/") == "/",
                  f"{path}.rootDirectory: must be / with an access point")
    faults.unless(not by_role or container.get("jobRoleArn"), f"{path}: iam needs the container's jobRoleArn")
    faults.unless(0 <= volume.get("transitEncryptionPort", 0) <= 65535, f"{path}.transitEncryptionPort: no port")
    faults.unless(len(volume.get("rootDirectory", "")) <= 4096, f"{path}.rootDirectory: too long")


def check_volumes(container, path, faults):
    volumes = container.get("volumes", [])
    names = [volume.get("name", "") for volume in volumes]
    faults.unless(len(set(names)) == len(names), f"{path}.volumes: a name twice")
    for place, volume in enumerate(volumes):
        where = f"{path}.volumes[{place}]"
        faults.unless(VOLUME_NAME.fullmatch(names[place]), f"{where}.name: '{names[place]}'")
        faults.unless(not ("host" in volume and "efsVolumeConfiguration" in volume), f"{where}: both host and EFS")
        if "efsVolumeConfiguration" in volume:
            check_file_system(volume["efsVolumeConfiguration"], container, f"{where}.efsVolumeConfiguration", faults)
    for place, mount in enumerate(container.get("mountPoints", [])):
        where, target = f"{path}.mountPoints[{place}]", mount.get("containerPath", "")
        faults.unless(mount.get("sourceVolume") in names, f"{where}: no volume '{mount.get('sourceVolume')}'")
        faults.unless(target.startswith("/"), f"{where}.containerPath: '{target}' is not absolute")


def check_container(container, path, faults):
    resources = container.get("resourceRequirements", [])
    kinds = {needed["type"] for needed in resources}
    faults.unless(IMAGE.fullmatch(container.get("image", "")), f"{path}.image: '{container.get('image')}'")
    faults.unless("VCPU" in kinds or "vcpus" in container, f"{path}: no VCPU requirement")
    faults.unless("MEMORY" in kinds or "memory" in container, f"{path}: no MEMORY requirement")
    check_resources(resources, f"{path}.resourceRequirements", faults)
    check_environment(container.get("environment", []), f"{path}.environment", faults)
    check_volumes(container, path, faults)
    linux = container.get("linuxParameters", {})
    faults.unless(0 <= linux.get("swappiness", 0) <= 100, f"{path}.linuxParameters.swappiness: not in 0 to 100")
    faults.unless(linux.get("sharedMemorySize", 1) > 0, f"{path}.linuxParameters.sharedMemorySize: none")
    for limit in container.get("ulimits", []):
        unlimited = limit["hardLimit"] == -1
        faults.unless(unlimited or 0 <= limit["softLimit"] <= limit["hardLimit"], f"{path}.ulimits: {limit['name']}")


def nodes_of(target, count):
    """The nodes that a range such as 0:3, 4: or 5 names, None if it is not a range."""
    match = NODES.fullmatch(target)
    if not match or target == "":
        return None
    if match[3]:
        return {int(match[3])}
    return set(range(int(match[1] or 0), int(match[2] or count - 1) + 1))


def check_nodes(nodes, path, faults):
    count, covered = nodes["numNodes"], set()
    faults.unless(0 <= nodes["mainNode"] < count, f"{path}.mainNode: {nodes['mainNode']} of {count} nodes")
    for place, group in enumerate(nodes["nodeRangeProperties"]):
        where, named = f"{path}.nodeRangeProperties[{place}]", nodes_of(group["targetNodes"], count)
        faults.unless(named, f"{where}.targetNodes: '{group['targetNodes']}' names no nodes")
        covered |= named or set()
        faults.unless("container" in group, f"{where}: no container")
        if "container" in group:
            check_container(group["container"], f"{where}.container", faults)
    faults.unless(covered == set(range(count)), f"{path}: the ranges are not exactly all {count} nodes")
    kinds = {group.get("container", {}).get("instanceType") for group in nodes["nodeRangeProperties"]}
    faults.unless(len(kinds) == 1, f"{path}: the nodes differ in instanceType")


def placeholders(definition):
    """The names that the command of a container takes from the parameters of a job."""
    return set(PLACEHOLDER.findall(" ".join(definition.get("containerProperties", {}).get("command", []))))


def check_definition(request, path, faults):
    faults.unless(NAME.fullmatch(request["jobDefinitionName"]), f"{path}.jobDefinitionName: letters, digits, - and _")
    single, several = request.get("containerProperties"), request.get("nodeProperties")
    if request["type"] == "multinode":
        faults.unless(several and not single, f"{path}: multinode has nodeProperties alone")
        # Several nodes can't be had on Fargate, and Batch never retries what ended on Spot there.
        faults.unless(request.get("platformCapabilities", ["EC2"]) == ["EC2"], f"{path}: multinode is for EC2")
    else:
        faults.unless(single and not several, f"{path}: type container has containerProperties alone")
    if single:
        check_container(single, f"{path}.containerProperties", faults)
        missing = placeholders(request) - set(request.get("parameters", {}))
        faults.unless(not missing, f"{path}: no default for Ref::{', Ref::'.join(sorted(missing))}")
    if several:
        check_nodes(several, f"{path}.nodeProperties", faults)


def check_submission(request, path, faults):
    size, needed = request.get("arrayProperties", {}).get("size"), request.get("dependsOn", [])
    faults.unless(NAME.fullmatch(request["jobName"]), f"{path}.jobName: letters, digits, - and _")
    faults.unless("size" in request.get("arrayProperties", {"size": 2}), f"{path}.arrayProperties: no size")
    faults.unless(size is None or 2 <= size <= 10_000, f"{path}.arrayProperties: {size} is not in 2 to 10,000")
    faults.unless(len(needed) <= 20, f"{path}.dependsOn: {len(needed)} jobs, at most 20")
    for place, job in enumerate(needed):
        where, kind = f"{path}.dependsOn[{place}]", job.get("type")
        faults.unless("jobId" in job or kind == "SEQUENTIAL", f"{where}: no jobId")
        faults.unless(kind is None or size is not None, f"{where}: {kind} is for array jobs")
    overrides = request.get("containerOverrides", {})
    check_environment(overrides.get("environment", []), f"{path}.containerOverrides.environment", faults)
    check_resources(overrides.get("resourceRequirements", []), f"{path}.containerOverrides", faults)


CHECKS = {"RegisterJobDefinition": check_definition, "SubmitJob": check_submission}


def validate(operation, request):
    """What AWS Batch would refuse, or what would not work as stated, one line each; [] if nothing is found.

    operation: as in AWS's API ("SubmitJob"); request: its JSON as a dict.
    """
    shape = MODEL.operation_model(operation).input_shape
    report = botocore.validate.ParamValidator().validate(request, shape)
    if report.has_errors():
        return report.generate_report().splitlines()
    faults = Faults()
    check_enumerations(shape, request, operation, faults)
    if operation in CHECKS:
        CHECKS[operation](request, operation, faults)
        if "retryStrategy" in request:
            check_retry(request["retryStrategy"], f"{operation}.retryStrategy", faults)
        seconds = request.get("timeout", {}).get("attemptDurationSeconds", 60)
        faults.unless(seconds >= 60, f"{operation}.timeout: {seconds} seconds, at least 60")
        length, most = len(json.dumps(request)), MOST_BYTES[operation]
        faults.unless(length <= most, f"{operation}: {length:,} bytes, at most {most:,}")
        for key in ("schedulingPriority", "schedulingPriorityOverride"):
            faults.unless(0 <= request.get(key, 0) <= 9999, f"{operation}.{key}: not in 0 to 9999")
        faults.unless(len(request.get("tags", {})) <= 50, f"{operation}.tags: more than 50")
    return list(faults)


def validate_job(request, definition):
    """What is wrong with SubmitJob's request, together with its definition."""
    faults = Faults(validate("SubmitJob", request))
    if definition["type"] == "multinode":
        faults.unless("arrayProperties" not in request, "SubmitJob: a job of several nodes can't be an array")
    elif "command" not in request.get("containerOverrides", {}):
        idle = set(request.get("parameters", {})) - placeholders(definition)
        faults.unless(not idle, f"SubmitJob.parameters: the command has no Ref::{', Ref::'.join(sorted(idle))}")
    return list(faults)


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[0] not in MODEL.operation_names:
        sys.exit(__doc__)
    documents = [json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in arguments[1:]]
    faults = validate_job(*documents) if len(documents) == 2 else validate(arguments[0], documents[0])
    print("".join(fault + "\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
