#include "input.hpp"
#include "nfs/tuned_mount.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {

void use_tunings(const std::string& text) {
  NfsMountStats mount;
  mount.options =
      "rw,vers=3,rsize=131072,wsize=131072,acregmin=3,acregmax=60,hard,nolock,proto=tcp,nconnect=2,timeo=600";
  for (const Tuning& tuning : load_tunings(TextFile(text, ".json").path()))
    static_cast<void>(not_in_force(tuning, mount));
}

}  // namespace edagen::fuzz
