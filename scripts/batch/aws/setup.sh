#!/bin/bash
# Makes in an AWS account what jobs of AWS Batch need (docs/how-to/aws-batch.md): an EFS file system with an access
# point, roles, a log group, a compute environment of Spot instances, and a queue. Prints the two names that AWS chose.
#
#   export AWS_REGION=us-east-1 VPC=vpc-... SUBNETS="subnet-... subnet-..."
#   eval "$(scripts/batch/aws/setup.sh)"
#
# The subnets need a way to the internet: images and corpora are downloaded. A failure ends the script with a message of
# aws; remove what exists by then before the next try, as names are taken.
set -euo pipefail
: "${AWS_REGION:?names the region}" "${VPC:?names the network}" "${SUBNETS:?names its subnets}"
exec 3>&1 >&2

# wait_for STATE COMMAND...: until COMMAND prints STATE; ends the script where it prints a state that does not pass.
wait_for() {
  local wanted=$1 state
  shift
  while state=$("$@") && [ "$state" != "$wanted" ]; do
    case ${state,,} in
      creating | updating) sleep 5 ;;
      *) echo "setup.sh: this came to the state $state, not $wanted: $*" && return 1 ;;
    esac
  done
  [ "$state" = "$wanted" ]
}

account=$(aws sts get-caller-identity --query Account --output text)

# One security group for file system and instances allows NFS between them.
group=$(aws ec2 create-security-group --group-name bertprep --description bertprep --vpc-id "$VPC" \
  --query GroupId --output text)
aws ec2 authorize-security-group-ingress --group-id "$group" --protocol tcp --port 2049 --source-group "$group"
efs=$(aws efs create-file-system --encrypted --throughput-mode elastic --tags Key=Name,Value=bertprep \
  --query FileSystemId --output text)
wait_for available aws efs describe-file-systems --file-system-id "$efs" \
  --query 'FileSystems[0].LifeCycleState' --output text
for subnet in $SUBNETS; do
  aws efs create-mount-target --file-system-id "$efs" --subnet-id "$subnet" --security-groups "$group"
done
point=$(aws efs create-access-point --file-system-id "$efs" --posix-user Uid=1000,Gid=1000 \
  --root-directory 'Path=/bertprep,CreationInfo={OwnerUid=1000,OwnerGid=1000,Permissions=0755}' \
  --query AccessPointId --output text)

# The container's role may use the file system; the instance's role is ECS's usual one.
trust() {
  printf '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"%s"},
    "Action":"sts:AssumeRole"}]}' "$1"
}
aws iam create-role --role-name bertprep-job --assume-role-policy-document "$(trust ecs-tasks.amazonaws.com)"
aws iam put-role-policy --role-name bertprep-job --policy-name efs --policy-document "{
  \"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",
  \"Action\":[\"elasticfilesystem:ClientMount\",\"elasticfilesystem:ClientWrite\"],
  \"Resource\":\"arn:aws:elasticfilesystem:$AWS_REGION:$account:file-system/$efs\"}]}"
aws iam create-role --role-name bertprep-instance --assume-role-policy-document "$(trust ec2.amazonaws.com)"
aws iam attach-role-policy --role-name bertprep-instance \
  --policy-arn arn:aws:iam::aws:policy/service-role/AmazonEC2ContainerServiceforEC2Role
aws iam create-instance-profile --instance-profile-name bertprep-instance
aws iam add-role-to-instance-profile --instance-profile-name bertprep-instance --role-name bertprep-instance
aws logs create-log-group --log-group-name /bertprep

# Spot instances, none while nothing runs.
aws batch create-compute-environment --compute-environment-name bertprep-spot --type MANAGED --state ENABLED \
  --compute-resources "type=SPOT,allocationStrategy=SPOT_PRICE_CAPACITY_OPTIMIZED,minvCpus=0,maxvCpus=512,\
instanceTypes=c7i,m7i,c6i,m6i,subnets=${SUBNETS// /,},securityGroupIds=$group,instanceRole=bertprep-instance"
wait_for VALID aws batch describe-compute-environments --compute-environments bertprep-spot \
  --query 'computeEnvironments[0].status' --output text
aws batch create-job-queue --job-queue-name bertprep-spot --state ENABLED --priority 1 \
  --compute-environment-order order=1,computeEnvironment=bertprep-spot

echo "export EFS=$efs POINT=$point" >&3
