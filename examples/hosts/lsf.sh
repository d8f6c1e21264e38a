#!/bin/bash
#BSUB -J edagen -n 10 -R "span[ptile=1]" -x -W 30 -o edagen.%J.log
# edagen on ten hosts by LSF: bsub <lsf.sh. Untried. blaunch takes the place of ssh, and the hosts are those of the job.
sort -u "$LSB_DJOB_HOSTFILE" >"hosts.$LSB_JOBID"
mpirun --mca plm_rsh_agent blaunch --hostfile "hosts.$LSB_JOBID" --map-by node --bind-to none -n 10 \
  edagen --phase mixed --clients 10 --mount /mnt/vol --rate 20k --progress never --json "r-$LSB_JOBID.json"
