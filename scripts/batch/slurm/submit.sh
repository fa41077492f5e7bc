#!/bin/sh
# Submits the jobs in this folder.
set -eu
fetch=$(sbatch --parsable /shared/bertprep-work/jobs/wikicorpus_en/slurm/fetch.sbatch)
echo "fetch $fetch"
format=$(sbatch --parsable --kill-on-invalid-dep=yes "--dependency=afterok:${fetch%%;*}" /shared/bertprep-work/jobs/wikicorpus_en/slurm/format.sbatch)
echo "format $format"
place=$(sbatch --parsable --kill-on-invalid-dep=yes "--dependency=afterok:${format%%;*}" /shared/bertprep-work/jobs/wikicorpus_en/slurm/place.sbatch)
echo "place $place"
shard=$(sbatch --parsable --kill-on-invalid-dep=yes "--dependency=afterok:${place%%;*}" /shared/bertprep-work/jobs/wikicorpus_en/slurm/shard.sbatch)
echo "shard $shard"
instances=$(sbatch --parsable --kill-on-invalid-dep=yes "--dependency=afterok:${shard%%;*}" /shared/bertprep-work/jobs/wikicorpus_en/slurm/instances.sbatch)
echo "instances $instances"
finish=$(sbatch --parsable --kill-on-invalid-dep=yes "--dependency=afterok:${instances%%;*}" /shared/bertprep-work/jobs/wikicorpus_en/slurm/finish.sbatch)
echo "finish $finish"
