#!/bin/sh
# Creates the jobs in this folder, each when the one before it has ended: it runs as long as they do.
set -eu
fetch=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/fetch.json)
echo "fetch $fetch"
fetch_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${fetch%%;*}")
echo "fetch_end $fetch_end"
format=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/format.json)
echo "format $format"
format_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${format%%;*}")
echo "format_end $format_end"
place=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/place.json)
echo "place $place"
place_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${place%%;*}")
echo "place_end $place_end"
shard=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/shard.json)
echo "shard $shard"
shard_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${shard%%;*}")
echo "shard_end $shard_end"
instances=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/instances.json)
echo "instances $instances"
instances_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${instances%%;*}")
echo "instances_end $instances_end"
finish=$(kubectl create -o name -f /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/finish.json)
echo "finish $finish"
finish_end=$(sh /mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes/await.sh "${finish%%;*}")
echo "finish_end $finish_end"
