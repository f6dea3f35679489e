/*
 * Loaded into a process (LD_PRELOAD): writes down, in their order, the changes of all files below RECORD_ROOT, and what
 * the process says on file 1, into the file RECORD_TO. A record is a line, and for a write its bytes:
 *
 *     open <handle> <created> <truncated> <path>    write <handle> <offset> <bytes>    resize <handle> <size>
 *     sync <handle>    lost <handle> (a sync that failed)    fault <what> <path> (a call that failed)
 *     rename <from> <to>    unlink <path>    mkdir <path>    told <bytes>    unknown <call>
 *
 * FAIL_AT=n lets the n-th write, sync or resize fail with the error FAIL_WITH; of a write with FAIL_SHORT the first
 * half is done, and every later write fails: libuv writes the rest again, and one error between is hidden by that.
 * LOCKS=none lets each lock of a file fail, as a file system without locks does; LOCKS=pretended says that it is taken,
 * and keeps nobody out, on what calls itself an overlay. Paths have no blanks.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 4096
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))real(#name))

/* One call at a time, so that the record has the order in which the calls took effect. */
static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static const char *root;
static size_t root_length;
static int record = -1;
static long fail_at, calls, handles;
static int fail_with, fail_short, is_full;
static const char *locks;

static struct { long handle; char path[256]; } files[MOST_FILES];

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *to = getenv("RECORD_TO"), *at = getenv("FAIL_AT"), *with = getenv("FAIL_WITH");
  root = getenv("RECORD_ROOT");
  if (!root || !to) return;
  root_length = strlen(root);
  fail_at = at ? atol(at) : 0;
  fail_with = with ? atoi(with) : EIO;
  fail_short = getenv("FAIL_SHORT") != NULL;
  locks = getenv("LOCKS");
  int file = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  record = syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, MOST_FILES);
  if (record < 0) record = file;
  unsetenv("LD_PRELOAD");
}

static void put(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    long done = syscall(SYS_write, record, at, length);
    if (done < 0) _exit(99);
    at += done;
    length -= done;
  }
}

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...) {
  char text[1200];
  va_list rest;
  va_start(rest, format);
  int length = vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  put(text, length);
}

/* The part of a path below the root; NULL: it is elsewhere. */
static const char *below(const char *path) {
  if (record < 0 || !path || strncmp(path, root, root_length) != 0) return NULL;
  return path[root_length] == '/' ? path + root_length + 1 : path[root_length] == 0 ? "." : NULL;
}

static int known(int file) {
  return record >= 0 && file >= 0 && file < MOST_FILES && files[file].handle > 0;
}

/* Whether this call has to fail. */
static int fails(const char *what, int file) {
  calls += 1;
  if (calls != fail_at && !(is_full && strcmp(what, "write") == 0)) return 0;
  line("fault %s %s\n", what, files[file].path);
  return 1;
}

static int opened(int file, const char *path, int existed, int flags) {
  if (file < 0 || file >= MOST_FILES) return file;
  files[file].handle = 0;
  const char *name = below(path);
  if (!name) return file;
  files[file].handle = ++handles;
  snprintf(files[file].path, sizeof files[file].path, "%s", name);
  line("open %ld %d %d %s\n", handles, !existed, existed && (flags & O_TRUNC), name);
  return file;
}

static int open_in_turn(const char *path, int flags, mode_t mode) {
  struct stat found;
  int existed = stat(path, &found) == 0;
  int file = REAL(int, open64, const char *, int, ...)(path, flags, mode);
  int error = errno;
  opened(file, path, existed, flags);
  errno = error;
  return file;
}

static int open_any(const char *path, int flags, mode_t mode) {
  pthread_mutex_lock(&turn);
  int file = open_in_turn(path, flags, mode);
  pthread_mutex_unlock(&turn);
  return file;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) { MODE(flags) return open_any(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any(path, flags, mode); }

int close(int file) {
  pthread_mutex_lock(&turn);
  if (known(file)) files[file].handle = 0;
  int result = REAL(int, close, int)(file);
  pthread_mutex_unlock(&turn);
  return result;
}

static ssize_t write_at(int file, const void *bytes, size_t length, off64_t offset, int has_offset) {
  pthread_mutex_lock(&turn);
  ssize_t done = -1;
  int is_known = known(file);
  if (is_known && fails("write", file)) {
    if (!fail_short || length < 2) {
      errno = fail_with;
      goto out;
    }
    length /= 2;
    is_full = 1;
    fail_short = 0;
  }
  if (is_known && !has_offset) offset = lseek64(file, 0, SEEK_CUR);
  done = has_offset ? REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(file, bytes, length, offset)
                    : REAL(ssize_t, write, int, const void *, size_t)(file, bytes, length);
  int error = errno;
  if (done > 0 && is_known) {
    line("write %ld %ld %zd\n", files[file].handle, (long)offset, done);
    put(bytes, done);
  } else if (done > 0 && file == 1 && record >= 0) {
    line("told %zd\n", done);
    put(bytes, done);
  }
  errno = error;
out:
  pthread_mutex_unlock(&turn);
  return done;
}

ssize_t write(int file, const void *bytes, size_t length) { return write_at(file, bytes, length, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return write_at(file, bytes, length, offset, 1); }
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) { return write_at(file, bytes, length, offset, 1); }

static int resize(int file, off64_t size) {
  pthread_mutex_lock(&turn);
  int result = -1;
  if (known(file) && fails("resize", file)) {
    errno = fail_with;
  } else {
    result = REAL(int, ftruncate64, int, off64_t)(file, size);
    if (result == 0 && known(file)) line("resize %ld %ld\n", files[file].handle, (long)size);
  }
  pthread_mutex_unlock(&turn);
  return result;
}

int ftruncate(int file, off_t size) { return resize(file, size); }
int ftruncate64(int file, off64_t size) { return resize(file, size); }

static int flush(int file, const char *name) {
  pthread_mutex_lock(&turn);
  int result = -1;
  if (known(file) && fails("sync", file)) {
    line("lost %ld\n", files[file].handle);
    errno = fail_with;
  } else if (known(file)) {
    /* The replay takes what was not flushed away, so the disk of this machine need not be waited for. */
    result = 0;
    line("sync %ld\n", files[file].handle);
  } else {
    result = ((int (*)(int))real(name))(file);
  }
  pthread_mutex_unlock(&turn);
  return result;
}

int fsync(int file) { return flush(file, "fsync"); }
int fdatasync(int file) { return flush(file, "fdatasync"); }

static int told(int result, const char *what, const char *name, const char *other) {
  if (result == 0 && name) line("%s %s%s%s\n", what, name, other ? " " : "", other ? other : "");
  pthread_mutex_unlock(&turn);
  return result;
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&turn);
  return told(REAL(int, rename, const char *, const char *)(from, to), "rename", below(from), below(to));
}

int unlink(const char *path) {
  pthread_mutex_lock(&turn);
  return told(REAL(int, unlink, const char *)(path), "unlink", below(path), NULL);
}

int rmdir(const char *path) {
  pthread_mutex_lock(&turn);
  return told(REAL(int, rmdir, const char *)(path), "unlink", below(path), NULL);
}

int remove(const char *path) {
  pthread_mutex_lock(&turn);
  return told(REAL(int, remove, const char *)(path), "unlink", below(path), NULL);
}

int mkdir(const char *path, mode_t mode) {
  pthread_mutex_lock(&turn);
  return told(REAL(int, mkdir, const char *, mode_t)(path, mode), "mkdir", below(path), NULL);
}

#define OVERLAY_TYPE 0x794c7630

static int control(int file, int command, void *argument) {
  if (locks && known(file) && (command == F_SETLK || command == F_SETLKW)) {
    if (strcmp(locks, "none") != 0) return 0;
    errno = ENOLCK;
    return -1;
  }
  return REAL(int, fcntl64, int, int, ...)(file, command, argument);
}

#define CONTROL(name) \
  int name(int file, int command, ...) { \
    va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest); \
    return control(file, command, argument); \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

int statfs64(const char *path, struct statfs64 *found) {
  int result = REAL(int, statfs64, const char *, struct statfs64 *)(path, found);
  if (result == 0 && locks && strcmp(locks, "pretended") == 0) found->f_type = OVERLAY_TYPE;
  return result;
}
int statfs(const char *path, struct statfs *found) { return statfs64(path, (struct statfs64 *)found); }

/* Calls that the replay does not know: it refuses a record that has one. */
#define UNKNOWN(file, name) if (known(file)) line("unknown %s\n", name);

ssize_t writev(int file, const struct iovec *pieces, int count) {
  UNKNOWN(file, "writev")
  return REAL(ssize_t, writev, int, const struct iovec *, int)(file, pieces, count);
}
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset) {
  UNKNOWN(file, "pwritev")
  return REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t)(file, pieces, count, offset);
}
int posix_fallocate64(int file, off64_t offset, off64_t length) {
  UNKNOWN(file, "posix_fallocate")
  return REAL(int, posix_fallocate64, int, off64_t, off64_t)(file, offset, length);
}
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *offset, size_t length, unsigned flags) {
  UNKNOWN(to, "copy_file_range")
  return REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned)(from, at, to, offset, length, flags);
}
