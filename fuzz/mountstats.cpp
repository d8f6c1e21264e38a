#include "nfs/mountstats.hpp"

#include "input.hpp"
#include "nfs/mount_advice.hpp"
#include "nfs/nfs_view.hpp"
#include "nfs/tuned_mount.hpp"

namespace edagen::fuzz {
namespace {

using namespace std::chrono_literals;

constexpr const char* an_other_time = R"(device 127.0.1.1:/mnt/export mounted on /mnt/nfs0 with fstype nfs statvers=1.1
	opts:	rw,vers=3,rsize=131072,wsize=131072,proto=tcp,nconnect=2
	bytes:	10 20 30 40 50 60 7 8
	xprt:	tcp 970 1 2 0 3 70 71 0 90 5 2 0 0
	per-op statistics
	     GETATTR: 80 82 1 6720 8960 8 96 110 2
	        READ: 20 20 0 3360 90000 2 40 45 0
)";

}  // namespace

void use_mountstats(const std::string& text) {
  const std::vector<NfsMountStats> other = parse_mountstats(an_other_time), mounts = parse_mountstats(text);
  for (const auto& [from, to] : {std::pair{other, mounts}, {mounts, other}})
    static_cast<void>(nfs_view(difference(from, to), 1s, 100));
  static_cast<void>(nfs_view(in_force(mounts), 1s, 0));
  static_cast<void>(mount_advice(mounts, {}));
  for (const NfsMountStats& mount : mounts)
    static_cast<void>(not_in_force({"t", "nconnect=8,vers=3,rsize=1,actimeo=600,nocto,cto", {}, {}}, mount));
}

}  // namespace edagen::fuzz
