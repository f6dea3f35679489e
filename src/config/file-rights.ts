import { realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Where container runtimes put secrets. */
export const CONTAINER_SECRETS = '/run/secrets';

/** Whether others than its owner may do anything with a file. Windows keeps no such rights. */
export const isOpenToOthers = ({ mode }: Stats, platform = process.platform): boolean =>
  platform !== 'win32' && (mode & 0o077) !== 0;

/**
 * Whether a container runtime or systemd handed this file to the process: it lies in a folder of theirs, root
 * owns it, and no other user may write it. Its rights are then theirs to choose (Docker Swarm gives 0444, systemd
 * shows an access list as 0440) and cannot be changed from here; who may look in is decided by the mount.
 */
export const isHandedIn = (
  path: string,
  { uid, mode }: Stats,
  folders: readonly string[],
): boolean => uid === 0 && (mode & 0o022) === 0 && folders.some((folder) => isInside(path, folder));

/** By their real places: a link in such a folder may lead out of it. */
const isInside = (path: string, folder: string): boolean => {
  try {
    return realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    // The folder is not there, as outside of containers.
    return false;
  }
};

/** What the log says of a data folder that others may look into; it may not be there yet. */
export const openFolderWarning = (folder: string): string | undefined => {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined || !isOpenToOthers(stats)
    ? undefined
    : `others on this machine may look into ${folder}, which holds numbers and names; take that away with: chmod 700 ${folder}`;
};

/** What to type so that a file is for this process's user alone. */
export const closingCommand = (path: string, { uid }: Stats): string => {
  const file = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  const self = process.getuid?.() ?? uid;
  return self === 0 || self === uid
    ? `chmod 600 ${file}`
    : `sudo chown ${self} ${file} && sudo chmod 400 ${file}`;
};
