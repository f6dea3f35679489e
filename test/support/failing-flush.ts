import { open } from 'node:fs/promises';

/*
 * Loaded into a program before its first line (`node --import`): the FAIL_FLUSH-th fdatasync of the process
 * answers as the system does when the disk fails. For machines where no tool can make the kernel say so.
 */
const anyFile = await open('/dev/null');
const files = Object.getPrototypeOf(anyFile) as { datasync: () => Promise<void> };
await anyFile.close();
const flush = files.datasync;
let left = Number(process.env['FAIL_FLUSH']);
files.datasync = function datasync() {
  left -= 1;
  if (left !== 0) return flush.call(this);
  const error = new Error('EIO: i/o error, fdatasync');
  return Promise.reject(Object.assign(error, { code: 'EIO', syscall: 'fdatasync' }));
};
