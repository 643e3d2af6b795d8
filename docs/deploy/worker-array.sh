#!/bin/bash
# sbatch worker-array.sh: twenty workers that take tasks until none is left, and end.
#SBATCH --job-name=plat-worker
#SBATCH --array=1-20
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
#SBATCH --output=plat-worker-%A_%a.log
set -eu
# QUEUE and STORE, and AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for a bucket: a file that only you can read.
set -a
. "$HOME/.config/plat/worker"
set +a
# A home of its own on the disk of the machine: files come into it and go from it as tasks need them.
export PLAT_HOME="${TMPDIR:-/tmp}/plat-worker-$SLURM_JOB_ID"
trap 'rm -rf "$PLAT_HOME"' EXIT
srun /opt/plat/plat ingest worker --until-idle --queue "$QUEUE" --store "$STORE" --threads "$SLURM_CPUS_PER_TASK"
