/* What a module gives of one MPI library: the only code that is built against it (src/mpi_module.cpp). All functions
   are called by one thread. */
#ifndef EDAGEN_MPI_MODULE_H
#define EDAGEN_MPI_MODULE_H

#define EDAGEN_MPI_MODULE_VERSION 2
#define EDAGEN_MPI_NO_MESSAGE (-1)
#define EDAGEN_MPI_BROKEN (-2)

#ifdef __cplusplus
extern "C" {
#endif

struct edagen_mpi {
  int version;                                        /* EDAGEN_MPI_MODULE_VERSION */
  int (*begin)(int* rank, int* size, int* here);      /* 0: the world is there; `here`: its ranks on this host */
  void* (*send)(int to, const void* data, int bytes); /* begins; `data` stays until it is sent; null: broken */
  int (*is_sent)(void* send);                         /* 0: not yet; 1: sent, or BROKEN: `send` is freed */
  int (*probe)(int* from);                            /* bytes of the next message, NO_MESSAGE or BROKEN */
  int (*receive)(int from, void* data, int bytes);    /* of a message that was probed; 0 or BROKEN */
  void (*end)(void);                                  /* all ranks call it */
  void (*abort)(int status);                          /* ends all ranks */
};

/* The one symbol of a module. */
const struct edagen_mpi* edagen_mpi_module(void);

#ifdef __cplusplus
}
#endif
#endif
