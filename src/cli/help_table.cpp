#include "cli/help_table.hpp"

#include <map>

namespace edagen {
namespace {

const std::map<std::string, CommandHelp> of_commands{
    {"",
     {{"edagen --phase mixed --mount /mnt/a --clients 10        # 20 s of load",
       "edagen curve --phase mixed --mount /mnt/a --clients 10  # the rate at 2 ms",
       "edagen compare --volume a=/mnt/a --volume b=/mnt/b --phase mixed",
       "edagen curve --phase mixed --target sim:regular         # without storage"},
      ""}},
    {"run",
     {{"edagen run --phase mixed --mount /mnt/a --mount /mnt/b --clients 20",
       "edagen --phase mixed --mount /mnt/a --rate 20k --duration 5m --json r.json",
       "edagen --workload fio/8k-randread --mount /mnt/a --io-depth 32"},
      "phase workload clients job-sets rate io-depth duration repeat mount target dataset-scale keep-dataset "
      "reuse-dataset direct dry-run json html journal verbose"}},
    {"curve",
     {{"edagen curve --phase mixed --mount /mnt/a --clients 10 --html curve.html",
       "edagen curve --phase mixed --mount /mnt/a --points 10 --max-rate 50k",
       "edagen curve --workload fio/4k-randread --mount /mnt/a --sweep io-depth=1,2,4"},
      "phase workload clients job-sets mount target dry-run json html verbose "
      "latency-target latency-statistic search-time points sweep"}},
    {"compare",
     {{"edagen compare --volume a=/mnt/a --volume b=/mnt/b --phase mixed --clients 10",
       "edagen compare --export server:/vol --tunings eda --phase mixed --rate 5k"},
      "phase workload clients job-sets rate duration dry-run json html verbose latency-target "
      "volume export tunings factor repeat results"}},
    {"report", {{"edagen report r.json --html r.html", "edagen report interrupted.jsonl"}, ""}},
    {"mounts", {{"edagen mounts", "edagen mounts /mnt/a /mnt/b"}, ""}},
    {"check",
     {{"edagen check before1.json before2.json before3.json now.json", "edagen check --history /var/lib/edagen"}, ""}},
    {"nightly",
     {{"edagen nightly --config /etc/edagen/nightly.json --dry-run",
       "edagen nightly --config /etc/edagen/nightly.json --junit edagen.xml"},
      ""}},
    {"history", {{"edagen history /var/lib/edagen --html /var/lib/edagen/index.html"}, ""}},
    {"staleness", {{"edagen staleness --writer /mnt/a/dir --reader /mnt/b/dir --duration 60s"}, ""}},
    {"workloads", {{"edagen workloads", "edagen workloads show eda_mixed > my.json"}, ""}},
    {"workloads list", {{"edagen workloads list"}, ""}},
    {"workloads show", {{"edagen workloads show eda_mixed > my.json"}, ""}},
    {"workloads validate", {{"edagen workloads validate my.json"}, ""}},
    {"workloads import-fio",
     {{"edagen workloads import-fio my.fio --output mine.json",
       "edagen workloads import-fio -- --name=a --rw=randread --bs=8k --size=1g"},
      ""}},
    {"clean", {{"edagen clean --mount /mnt/a --mount /mnt/b"}, ""}},
    {"schema", {{"edagen schema result > result.schema.json"}, ""}},
    {"completion", {{"edagen completion bash > /etc/bash_completion.d/edagen"}, ""}},
};

}  // namespace

const CommandHelp& help_of(const std::string& command) {
  static const CommandHelp none;
  const auto found = of_commands.find(command);
  return found == of_commands.end() ? none : found->second;
}

}  // namespace edagen
