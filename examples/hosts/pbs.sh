#!/bin/bash
#PBS -N edagen -l select=10:ncpus=4:mpiprocs=1 -l place=scatter:excl -l walltime=00:30:00
# edagen on ten hosts by PBS: qsub pbs.sh. Untried.
cd "$PBS_O_WORKDIR"
mpirun --hostfile "$PBS_NODEFILE" --map-by node --bind-to none -n 10 \
  edagen --phase mixed --clients 10 --mount /mnt/vol --rate 20k --progress never --json "r-$PBS_JOBID.json"
