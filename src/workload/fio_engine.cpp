#include "workload/fio_engine.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/words.hpp"

namespace edagen {
namespace {

using EngineKind = FioEngine::Kind;

constexpr const char* of_devices = "it works on devices, not on the files of a file system";
constexpr const char* of_other_storage = "it reaches its storage without a file system";
constexpr const char* of_memory = "it works on persistent memory, not through the file system's reads and writes";
constexpr const char* of_network = "it measures the network, not files";
constexpr const char* no_data = "it moves no data to or from files";
constexpr const char* one_way =
    "a run of creates or of removals alone is over when all files are made or removed; edagen's loads go on "
    "for as long as they are asked to";

constexpr std::array engines{
    FioEngine{"sync", EngineKind::blocking, ""},
    FioEngine{"psync", EngineKind::blocking, ""},
    FioEngine{"vsync", EngineKind::blocking, "adjacent ops are not merged into one call here"},
    FioEngine{"pvsync", EngineKind::blocking, ""},
    FioEngine{"pvsync2", EngineKind::blocking, ""},
    FioEngine{"splice", EngineKind::blocking, "data is moved by read and write here, not by splice"},
    FioEngine{"libaio", EngineKind::queueing, ""},
    FioEngine{"linuxaio", EngineKind::queueing, ""},
    FioEngine{"aio", EngineKind::queueing, ""},
    FioEngine{"io_uring", EngineKind::queueing, ""},
    FioEngine{"posixaio", EngineKind::queueing, ""},
    FioEngine{"solarisaio", EngineKind::queueing, ""},
    FioEngine{"windowsaio", EngineKind::queueing, ""},
    FioEngine{"nfs", EngineKind::queueing,
              "the files are reached through a mount here, not through libnfs and nfs_url"},
    FioEngine{"mmap", EngineKind::mapped,
              "each op maps a random place of its file and unmaps it; fio maps the file once"},
    FioEngine{"filestat", EngineKind::stat, ""},
    FioEngine{"dirstat", EngineKind::refused, "edagen has stats of files, not of directories alone"},
    FioEngine{"filecreate", EngineKind::refused, one_way},
    FioEngine{"filedelete", EngineKind::refused, one_way},
    FioEngine{"dircreate", EngineKind::refused, one_way},
    FioEngine{"dirdelete", EngineKind::refused, one_way},
    FioEngine{"null", EngineKind::refused, no_data},
    FioEngine{"cpp_null", EngineKind::refused, no_data},
    FioEngine{"cpuio", EngineKind::refused, no_data},
    FioEngine{"exec", EngineKind::refused, "it starts another program"},
    FioEngine{"falloc", EngineKind::refused, "edagen has no fallocate ops"},
    FioEngine{"ftruncate", EngineKind::refused,
              "it truncates files to the offsets of a job; edagen's truncate ops do not"},
    FioEngine{"e4defrag", EngineKind::refused, "edagen has no defragmenting ops"},
    FioEngine{"external", EngineKind::refused, "what an engine of one's own does is not known"},
    FioEngine{"net", EngineKind::refused, of_network},
    FioEngine{"netsplice", EngineKind::refused, of_network},
    FioEngine{"rdma", EngineKind::refused, of_network},
    FioEngine{"librpma_apm_client", EngineKind::refused, of_network},
    FioEngine{"librpma_apm_server", EngineKind::refused, of_network},
    FioEngine{"librpma_gpspm_client", EngineKind::refused, of_network},
    FioEngine{"librpma_gpspm_server", EngineKind::refused, of_network},
    FioEngine{"io_uring_cmd", EngineKind::refused, of_devices},
    FioEngine{"sg", EngineKind::refused, of_devices},
    FioEngine{"libzbc", EngineKind::refused, of_devices},
    FioEngine{"mtd", EngineKind::refused, of_devices},
    FioEngine{"xnvme", EngineKind::refused, of_devices},
    FioEngine{"libblkio", EngineKind::refused, of_devices},
    FioEngine{"spdk", EngineKind::refused, of_devices},
    FioEngine{"spdk_bdev", EngineKind::refused, of_devices},
    FioEngine{"binject", EngineKind::refused, of_devices},
    FioEngine{"dev-dax", EngineKind::refused, of_memory},
    FioEngine{"libpmem", EngineKind::refused, of_memory},
    FioEngine{"pmemblk", EngineKind::refused, of_memory},
    FioEngine{"rados", EngineKind::refused, of_other_storage},
    FioEngine{"rbd", EngineKind::refused, of_other_storage},
    FioEngine{"http", EngineKind::refused, of_other_storage},
    FioEngine{"gfapi", EngineKind::refused, of_other_storage},
    FioEngine{"gfapi_async", EngineKind::refused, of_other_storage},
    FioEngine{"glusterfs", EngineKind::refused, of_other_storage},
    FioEngine{"glusterfs_async", EngineKind::refused, of_other_storage},
    FioEngine{"libhdfs", EngineKind::refused, of_other_storage},
    FioEngine{"libiscsi", EngineKind::refused, of_other_storage},
    FioEngine{"nbd", EngineKind::refused, of_other_storage},
    FioEngine{"dfs", EngineKind::refused, of_other_storage},
    FioEngine{"ime_psync", EngineKind::refused, of_other_storage},
    FioEngine{"ime_psyncv", EngineKind::refused, of_other_storage},
    FioEngine{"ime_aio", EngineKind::refused, of_other_storage},
    FioEngine{"libcufile", EngineKind::refused, "it moves data to and from GPUs"},
    FioEngine{"guasi", EngineKind::refused, "fio no longer has it"},
};

}  // namespace

const FioEngine* fio_engine(const std::string& name) {
  const std::string_view stem = std::string_view(name).substr(0, name.find(':'));
  const auto* const found =
      std::ranges::find(engines, stem, [](const FioEngine& engine) { return std::string_view(engine.name); });
  return found == engines.end() ? nullptr : found;
}

std::string fio_engine_hint(const std::string& name) {
  std::vector<std::string> names;
  for (const FioEngine& engine : engines) names.emplace_back(engine.name);
  return did_you_mean(name, names);
}

}  // namespace edagen
