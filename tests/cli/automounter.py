"""Runs a command while DIRECTORY is an automounter's, which mounts when somebody looks below it.

    unshare -m automounter.py DIRECTORY COMMAND...
    unshare -m automounter.py --nfs SOURCE OPTIONS DIRECTORY COMMAND...

Mounts a tmpfs, or SOURCE. Ends with the command's status, or with 77 when the kernel has no automounter.
"""
import ctypes
import fcntl
import os
import select
import struct
import subprocess
import sys

MISSING_DIRECT = 5  # autofs_ptype_missing_direct
READY = (0x93 << 8) | 0x60  # AUTOFS_IOC_READY
LAZY = 2  # MNT_DETACH
libc = ctypes.CDLL(None, use_errno=True)


def mount(source, kind, point, data):
    return libc.mount(source.encode(), point.encode(), kind.encode(), 0, data.encode()) == 0


words = sys.argv[1:]
nfs = None
if words[0] == "--nfs":
    nfs, words = words[1:3], words[3:]
point, command = words[0], words[1:]
os.setpgid(0, 0)
read_end, write_end = os.pipe()
if not mount("systemd-1", "autofs", point, f"fd={write_end},pgrp={os.getpgrp()},minproto=5,maxproto=5,direct"):
    sys.exit(77)
os.close(write_end)
directory = os.open(point, os.O_RDONLY | os.O_DIRECTORY)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)  # who is in the automounter's group sees the directory as it is
    os._exit(subprocess.call(command))
while True:
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        break
    if select.select([read_end], [], [], 0.05)[0]:
        version, kind, token = struct.unpack_from("iiI", os.read(read_end, 4096))
        if kind == MISSING_DIRECT:
            if nfs:
                subprocess.call(["mount", "-t", "nfs", "-o", nfs[1], nfs[0], point])
            else:
                mount("tmpfs", "tmpfs", point, "size=1g")
            fcntl.ioctl(directory, READY, token)
libc.umount2(point.encode(), LAZY)
libc.umount2(point.encode(), LAZY)
sys.exit(os.waitstatus_to_exitcode(status))
