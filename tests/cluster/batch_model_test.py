"""Whether batch_model finds the faults planted in requests, and none in valid ones."""

import copy
import sys

from array_case import skip_unless

skip_unless(modules=["botocore"])

from batch_model import validate, validate_job  # noqa: E402

CONTAINER = {
    "image": "111122223333.dkr.ecr.us-east-1.amazonaws.com/bertprep:1",
    "command": ["run", "--stage", "Ref::stage"],
    "jobRoleArn": "arn:aws:iam::111122223333:role/job",
    "resourceRequirements": [{"type": "VCPU", "value": "4"}, {"type": "MEMORY", "value": "15000"}],
    "environment": [{"name": "HDF5_USE_FILE_LOCKING", "value": "FALSE"}],
    "volumes": [{"name": "efs", "efsVolumeConfiguration": {
        "fileSystemId": "fs-0123456789abcdef0", "rootDirectory": "/", "transitEncryption": "ENABLED",
        "authorizationConfig": {"accessPointId": "fsap-0123456789abcdef0", "iam": "ENABLED"}}}],
    "mountPoints": [{"sourceVolume": "efs", "containerPath": "/mnt/efs", "readOnly": False}],
    "logConfiguration": {"logDriver": "awslogs", "options": {"awslogs-group": "bertprep"}},
}
RETRY = {"attempts": 5, "evaluateOnExit": [{"onStatusReason": "Host EC2*", "action": "RETRY"},
                                           {"onExitCode": "75", "action": "retry"},
                                           {"onReason": "*", "action": "EXIT"}]}
DEFINITION = {"jobDefinitionName": "bertprep", "type": "container", "parameters": {"stage": "fetch"},
              "containerProperties": CONTAINER, "retryStrategy": RETRY, "timeout": {"attemptDurationSeconds": 3600}}
SEVERAL = {"jobDefinitionName": "berttrain", "type": "multinode", "nodeProperties": {
    "numNodes": 4, "mainNode": 0, "nodeRangeProperties": [{"targetNodes": "0:1", "container": CONTAINER},
                                                          {"targetNodes": "2:", "container": CONTAINER}]}}
JOB = {"jobName": "bertprep-shard", "jobQueue": "queue", "jobDefinition": "bertprep:1", "arrayProperties": {"size": 64},
       "parameters": {"stage": "shard"}, "dependsOn": [{"jobId": "a", "type": "N_TO_N"}, {"jobId": "b"}]}

VOLUME = "containerProperties.volumes.0"
EFS = VOLUME + ".efsVolumeConfiguration"
RULES = "retryStrategy.evaluateOnExit"
LOST = object()
# Operation, request, what is changed: place, new value (or LOST); words that must be in a fault.
PLANTED = [
    ("RegisterJobDefinition", DEFINITION, "jobDefinitionName", "bert prep", "jobDefinitionName"),
    ("RegisterJobDefinition", DEFINITION, "jobDefinitionName", LOST, "jobDefinitionName"),
    ("RegisterJobDefinition", DEFINITION, "kind", "x", "kind"),
    ("RegisterJobDefinition", DEFINITION, "type", "job", "'job' is not one of"),
    ("RegisterJobDefinition", DEFINITION, "type", "multinode", "nodeProperties alone"),
    ("RegisterJobDefinition", DEFINITION, "platformCapabilities", ["ec2"], "'ec2' is not one of"),
    ("RegisterJobDefinition", DEFINITION, "parameters", {}, "Ref::stage"),
    ("RegisterJobDefinition", DEFINITION, "timeout.attemptDurationSeconds", 59, "at least 60"),
    ("RegisterJobDefinition", DEFINITION, "timeout.attemptDurationSeconds", "60", "attemptDurationSeconds"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.image", "a b", "image"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.command", "run", "command"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.command", ["x" * 25_000], "at most 24,576"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.resourceRequirements.0.value", "four", "not a number"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.resourceRequirements.1.value", "16G", "not a number"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.resourceRequirements.1.value", "3", "at least 4"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.resourceRequirements.1.type", "VCPU", "no MEMORY"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.resourceRequirements.0.type", "CPU", "not one of"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.environment.0.name", "AWS_BATCH_X", "may set"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.mountPoints.0.sourceVolume", "x", "no volume 'x'"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.mountPoints.0.containerPath", "efs", "not absolute"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.logConfiguration.logDriver", "aws", "not one of"),
    ("RegisterJobDefinition", DEFINITION, "containerProperties.jobRoleArn", LOST, "jobRoleArn"),
    ("RegisterJobDefinition", DEFINITION, VOLUME + ".host", {"sourcePath": "/x"}, "both host and EFS"),
    ("RegisterJobDefinition", DEFINITION, EFS + ".fileSystemId", "fs-1", "fileSystemId"),
    ("RegisterJobDefinition", DEFINITION, EFS + ".rootDirectory", "/data", "must be /"),
    ("RegisterJobDefinition", DEFINITION, EFS + ".transitEncryption", "DISABLED", "transitEncryption"),
    ("RegisterJobDefinition", DEFINITION, EFS + ".authorizationConfig.accessPointId", "ap", "accessPointId"),
    ("RegisterJobDefinition", DEFINITION, EFS + ".authorizationConfig.iam", "yes", "'yes' is not one of"),
    ("RegisterJobDefinition", DEFINITION, "retryStrategy.attempts", 11, "1 to 10"),
    ("RegisterJobDefinition", DEFINITION, "retryStrategy.attempts", LOST, "needs attempts"),
    ("RegisterJobDefinition", DEFINITION, RULES, RETRY["evaluateOnExit"] * 2, "at most 5"),
    ("RegisterJobDefinition", DEFINITION, RULES + ".0.onStatusReason", "Host*EC2", "onStatusReason"),
    ("RegisterJobDefinition", DEFINITION, RULES + ".0.onStatusReason", LOST, "without a condition"),
    ("RegisterJobDefinition", DEFINITION, RULES + ".0.action", "AGAIN", "not one of"),
    ("RegisterJobDefinition", DEFINITION, RULES + ".1.onExitCode", "!0", "onExitCode"),
    ("RegisterJobDefinition", DEFINITION, RULES + ".2.onReason", "Essential*", "last rule"),
    ("RegisterJobDefinition", SEVERAL, "nodeProperties.mainNode", 4, "mainNode"),
    ("RegisterJobDefinition", SEVERAL, "nodeProperties.numNodes", 2, "names no nodes"),
    ("RegisterJobDefinition", SEVERAL, "nodeProperties.nodeRangeProperties.1.targetNodes", "3:", "not exactly all"),
    ("RegisterJobDefinition", SEVERAL, "nodeProperties.nodeRangeProperties.1.targetNodes", "two", "names no nodes"),
    ("RegisterJobDefinition", SEVERAL, "nodeProperties.nodeRangeProperties.0.container.image", "", "image"),
    ("RegisterJobDefinition", SEVERAL, "platformCapabilities", ["FARGATE"], "for EC2"),
    ("SubmitJob", JOB, "jobName", "-x", "jobName"),
    ("SubmitJob", JOB, "jobQueue", LOST, "jobQueue"),
    ("SubmitJob", JOB, "arrayProperties.size", 1, "2 to 10,000"),
    ("SubmitJob", JOB, "arrayProperties.size", 10_001, "2 to 10,000"),
    ("SubmitJob", JOB, "arrayProperties", LOST, "for array jobs"),
    ("SubmitJob", JOB, "dependsOn.0.type", "1_TO_1", "not one of"),
    ("SubmitJob", JOB, "dependsOn.1", {}, "no jobId"),
    ("SubmitJob", JOB, "dependsOn", [{"jobId": "a"}] * 21, "at most 20"),
    ("SubmitJob", JOB, "parameters", {"x": "y" * 31_000}, "at most 30,720"),
    ("SubmitJob", JOB, "containerOverrides", {"environment": [{"name": "A", "value": "1"}] * 2}, "set twice"),
]


def changed(request, place, value):
    result = copy.deepcopy(request)
    *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    at = result
    for step in way:
        at = at[step]
    if value is LOST:
        del at[last]
    else:
        at[last] = value
    return result


def self_test():
    wrong = []
    for operation, sound in (("RegisterJobDefinition", DEFINITION), ("RegisterJobDefinition", SEVERAL),
                             ("SubmitJob", JOB), ("DescribeJobs", {"jobs": ["a"]})):
        wrong += [f"sound {operation}: {fault}" for fault in validate(operation, sound)]
    for operation, request, place, value, words in PLANTED:
        found = validate(operation, changed(request, place, value))
        if not any(words in fault for fault in found):
            wrong.append(f"{operation} with {place} = {value!r:.60}: '{words}' expected, found {found}")
    wrong += [f"job with its definition: {fault}" for fault in validate_job(JOB, DEFINITION)]
    if not validate_job(changed(JOB, "parameters.stagge", "x"), DEFINITION):
        wrong.append("a parameter that no command uses is not found")
    if not validate_job(JOB, SEVERAL):
        wrong.append("an array of jobs of several nodes is not found")
    return wrong


if __name__ == "__main__":
    faults = self_test()
    print("".join(fault + "\n" for fault in faults), end="")
    sys.exit(1 if faults else 0)
