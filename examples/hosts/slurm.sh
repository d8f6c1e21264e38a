#!/bin/bash
#SBATCH --job-name=edagen --nodes=10 --ntasks-per-node=1 --exclusive --time=00:30:00
# edagen on ten hosts by Slurm: sbatch slurm.sh. srun was tried, this script was not. `srun --mpi=list` shows what there is:
# pmix for Open MPI, pmi2 for MPICH.
srun --mpi=pmix edagen --phase mixed --clients 10 --mount /mnt/vol --rate 20k --progress never --json "r-$SLURM_JOB_ID.json"
