#include "nfs/nfs_mount_options.hpp"

namespace edagen {

const std::set<std::string>& nfs_mount_options() {
  static const std::set<std::string> all = [] {
    std::set<std::string> names = {
        // nfs(5) and fs/nfs/fs_context.c
        "vers", "nfsvers", "minorversion", "v2", "v3", "v4", "v4.0", "v4.1", "v4.2", "proto", "tcp", "tcp6", "udp",
        "udp6", "rdma", "rdma6", "port", "addr", "clientaddr", "nconnect", "max_connect", "rsize", "wsize", "bsize",
        "namlen", "actimeo", "acregmin", "acregmax", "acdirmin", "acdirmax", "hard", "soft", "softerr", "timeo",
        "retrans", "retry", "bg", "fg", "lookupcache", "local_lock", "sec", "xprtsec", "cert_serial", "privkey_serial",
        "write", "sloppy", "mountaddr", "mounthost", "mountport", "mountproto", "mountvers", "mountprog", "nfsprog",
        // mount(8)
        "defaults", "rw", "sync", "async", "dirsync", "_netdev", "nofail", "owner", "group", "users", "silent", "loud",
        "comment", "context", "fscontext", "defcontext", "rootcontext"};
    // With "no" before them as well.
    for (const char* const name : {"ac", "acl", "cto", "fsc", "intr", "lock", "migration", "posix", "rdirplus",
                                   "resvport", "sharecache", "softreval", "trunkdiscovery", "quota",
                                   // mount(8)
                                   "atime", "auto", "dev", "diratime", "exec", "iversion", "lazytime", "mand",
                                   "relatime", "strictatime", "suid", "symfollow", "user"}) {
      names.insert(name);
      names.insert(std::string("no") + name);
    }
    return names;
  }();
  return all;
}

bool is_nfs_mount_option(const std::string& name) {
  const bool is_comment = name.size() > 2 && (name.starts_with("x-") || name.starts_with("X-"));
  return nfs_mount_options().contains(name) || (is_comment && !has_other_effects(name));
}

bool has_other_effects(const std::string& name) {
  static const std::set<std::string> others = {"bind",    "rbind",    "move",       "remount",     "loop",     "offset",
                                               "private", "rprivate", "shared",     "rshared",     "slave",    "rslave",
                                               "helper",  "uhelper",  "unbindable", "runbindable", "sizelimit"};
  return others.contains(name) || name.starts_with("x-mount.") || name.starts_with("X-mount.");
}

}  // namespace edagen
