// Paths that stay below a directory: resolved from its descriptor, through no link and into no other mount.
#pragma once

#include <linux/openat2.h>
#include <sys/types.h>

#include "base/descriptor.hpp"

namespace edagen {

/// Opens `path`, which is relative and has no "..", as openat(2) does. No component may be a symbolic link (ELOOP) or a
/// mount point, including bind mounts (EXDEV). Adds O_CLOEXEC and O_NOFOLLOW. An empty Descriptor leaves the reason in
/// errno. Thread-safe. Uses openat2(2), or open_beneath_by_steps() when the kernel (before 5.6) or a sandbox lacks it.
Descriptor open_beneath(int directory, const char* path, int flags, mode_t mode = 0);

/// The same with openat(2) alone: one component after the other, each checked by its mount id (/proc/self/fdinfo)
/// before use. Some ten times as slow.
Descriptor open_beneath_by_steps(int directory, const char* path, int flags, mode_t mode = 0);

/// The argument of openat2(2) with the rules of open_beneath().
open_how beneath(int flags, mode_t mode = 0);

/// The id of the mount on which `fd` was opened; -1 when it is unknown.
long mount_id(int fd);

/// What an errno of open_beneath() means, for messages.
const char* why_not_beneath(int error);

}  // namespace edagen
