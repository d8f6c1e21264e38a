// A module: built once for each MPI library that is found (cmake/Mpi.cmake), loaded when edagen was started by it.
// MPI_THREAD_FUNNELED; nothing here blocks but begin() and end().
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "hosts/mpi_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>

namespace {

/// Open MPI 4 has its launcher print that a process cannot be reached, and waits for the answer of a launcher that is
/// busy with ending all: nothing else would be sent or received. edagen itself names the ranks that are lost.
int tell_nobody(const char*, const char*, bool, ...) { return 0; }

void do_not_wait_for_the_launcher() {
  void* const teller = dlsym(RTLD_DEFAULT, "opal_show_help");  // a variable in version 4, and of no concern in others
  Dl_info where;
  void* symbol = nullptr;
  if (teller == nullptr || dladdr1(teller, &where, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return;
  if (ELF64_ST_TYPE(static_cast<const Elf64_Sym*>(symbol)->st_info) == STT_OBJECT)
    *static_cast<int (**)(const char*, const char*, bool, ...)>(teller) = tell_nobody;
}

constexpr int tag = 1;
MPI_Comm world;

int begin(int* rank, int* size, int* here) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return EDAGEN_MPI_BROKEN;
  world = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world, rank);
  MPI_Comm_size(world, size);
  MPI_Comm of_this_host = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &of_this_host);
  MPI_Comm_size(of_this_host, here);
  MPI_Comm_free(&of_this_host);
  do_not_wait_for_the_launcher();
  return provided >= MPI_THREAD_FUNNELED ? 0 : EDAGEN_MPI_BROKEN;
}

void* send(int to, const void* data, int bytes) {
  auto* const request = new MPI_Request;
  if (MPI_Isend(data, bytes, MPI_BYTE, to, tag, world, request) == MPI_SUCCESS) return request;
  delete request;
  return nullptr;
}

int is_sent(void* begun) {
  auto* const request = static_cast<MPI_Request*>(begun);
  int done = 0;
  const bool broken = MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  if (done || broken) delete request;
  return broken ? EDAGEN_MPI_BROKEN : done;
}

int probe(int* from) {
  int there = 0, bytes = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, tag, world, &there, &status) != MPI_SUCCESS) return EDAGEN_MPI_BROKEN;
  if (!there) return EDAGEN_MPI_NO_MESSAGE;
  if (MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS) return EDAGEN_MPI_BROKEN;
  *from = status.MPI_SOURCE;
  return bytes;
}

int receive(int from, void* data, int bytes) {
  return MPI_Recv(data, bytes, MPI_BYTE, from, tag, world, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 0 : EDAGEN_MPI_BROKEN;
}

void end() { MPI_Finalize(); }
void abort_all(int status) { MPI_Abort(world, status); }

const edagen_mpi module{EDAGEN_MPI_MODULE_VERSION, begin, send, is_sent, probe, receive, end, abort_all};

}  // namespace

extern "C" const edagen_mpi* edagen_mpi_module() { return &module; }
