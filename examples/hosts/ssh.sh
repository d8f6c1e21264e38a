#!/bin/bash
# edagen on three hosts by ssh, which must not ask for anything: ssh.sh node1 node2 node3, from the first host. The agent was
# tried (scripts/hosts-lab), ssh itself was not. For MPICH the host file has node1:1 and so on:
# mpirun.mpich -f hosts -ppn 1 -n 3 edagen ...
# On hosts with several networks name that of the messages:
# --mca btl_tcp_if_include 10.0.0.0/24 --mca oob_tcp_if_include 10.0.0.0/24
set -euo pipefail
[[ -e ~/.ssh/id_ed25519 ]] || ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519
for host in "$@"; do
  ssh-copy-id "$host"
  ssh "$host" edagen --version  # stores the host's key, too
done
printf '%s slots=1\n' "$@" >hosts
mpirun --hostfile hosts --map-by node --bind-to none -n $# edagen --phase mixed --clients $# --mount /mnt/vol --rate 20k --json r.json
