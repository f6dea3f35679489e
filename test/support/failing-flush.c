/*
 * Loaded into a program (LD_PRELOAD): the FAIL_FLUSH-th flush of the process answers as the system does when the disk
 * fails. Built by the test that needs it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static int fails(void) {
  static long left = -1;
  if (left == -1) {
    const char *nth = getenv("FAIL_FLUSH");
    left = nth ? atol(nth) : 0;
  }
  return left > 0 && --left == 0;
}

static int flush(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (fails()) {
    errno = EIO;
    return -1;
  }
  return real(file);
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
