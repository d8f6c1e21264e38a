#!/bin/bash
# In the NFS lab with 64 mounts: the server of one mount falls silent for a while. $1: edagen, $2: where the result goes.
mounts=()
for i in $(seq 0 63); do mounts+=(--mount /mnt/nfs$i); done
silence() {
  modprobe -a sch_prio cls_u32 sch_netem
  tc qdisc add dev lo root handle 1: prio
  tc qdisc add dev lo parent 1:3 handle 30: netem loss 100%
  for side in dst src; do tc filter add dev lo parent 1: protocol ip u32 match ip $side 127.0.1.6/32 flowid 1:3; done
}
silence_in_the_window() {
  for i in $(seq 2400); do grep -qs '"measure"' /run/journal && break; sleep 0.1; done
  sleep 5; silence; sleep 20; tc qdisc del dev lo root
}
silence_in_the_window &
"$1" --phase functional --clients 64 --procs 1 --rate 200 --dataset-scale 0.01 --warmup 1s --duration 40s --stuck-after 5s \
  --json "$2" --journal /run/journal "${mounts[@]}"
