#include "cli/fio_words.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(FioWords, TheCommandRunsTheWorkloadAsFioWould) {
  FioImport import;
  EXPECT_EQ(command_for(import, "FILE.json"), "edagen --workload FILE.json");
  import.duration = "60s", import.warmup = "0s", import.directories = {"/mnt/x"}, import.drop_caches = true;
  EXPECT_EQ(command_for(import, "a.json"),
            "edagen --workload a.json --duration 60s --warmup 0s --mount /mnt/x --drop-caches");
  import.directories = {"/mnt/two words"};
  EXPECT_EQ(command_for(import, "my job.json"),
            "edagen --workload 'my job.json' --duration 60s --warmup 0s --mount '/mnt/two words' --drop-caches");
  FioImport more;
  more.directories = {"/mnt/a", "/mnt/b"}, more.arrivals = "poisson";
  more.clients = 2;
  EXPECT_EQ(command_for(more, "a.json"),
            "edagen --workload a.json --arrivals poisson --clients 2 --mount /mnt/a --mount /mnt/b");
}

TEST(FioWords, ANoteNamesTheOptionOfEdagenThatHasToDoWithIt) {
  EXPECT_EQ(text_of({"a", "thinktime", "'5ms' has no equivalent; the rate paces"}),
            "[a] thinktime: '5ms' has no equivalent; the rate paces (--rate)");
  EXPECT_EQ(text_of({"a", "verify", "'crc32c' has no equivalent"}), "[a] verify: 'crc32c' has no equivalent");
  EXPECT_NE(client_text("h1,h2").find("'h1,h2': edagen is started on many hosts by mpirun"), std::string::npos);
}

TEST(FioWords, ATypedOptionOfFioIsToldWhatThereIsInItsPlace) {
  EXPECT_EQ(fio_word_hint("runtime"), "fio's; here: --duration TIME");
  EXPECT_EQ(fio_word_hint("numjobs"), "fio's; here: --procs N");
  EXPECT_EQ(fio_word_hint("bs"), "fio's; edagen workloads import-fio makes a workload file of fio's options");
  EXPECT_EQ(fio_word_hint("blocksize"), fio_word_hint("bs")) << "an alias";
  EXPECT_EQ(fio_word_hint("colour"), "");
}

}  // namespace
}  // namespace edagen
