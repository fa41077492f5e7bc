#!/bin/sh
# Registers the definition in this folder and submits the jobs.
set -eu
definition=$(aws batch register-job-definition --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/definition.json --query jobDefinitionArn --output text)
echo "definition $definition"
fetch=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/fetch.json --query jobId --output text "--job-definition=${definition%%;*}")
echo "fetch $fetch"
format=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/format.json --query jobId --output text "--job-definition=${definition%%;*}" "--depends-on=jobId=${fetch%%;*}")
echo "format $format"
place=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/place.json --query jobId --output text "--job-definition=${definition%%;*}" "--depends-on=jobId=${format%%;*}")
echo "place $place"
shard=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/shard.json --query jobId --output text "--job-definition=${definition%%;*}" "--depends-on=jobId=${place%%;*}")
echo "shard $shard"
instances=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/instances.json --query jobId --output text "--job-definition=${definition%%;*}" "--depends-on=jobId=${shard%%;*}")
echo "instances $instances"
finish=$(aws batch submit-job --cli-input-json file:///mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch/finish.json --query jobId --output text "--job-definition=${definition%%;*}" "--depends-on=jobId=${instances%%;*}")
echo "finish $finish"
