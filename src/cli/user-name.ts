import { userInfo } from 'node:os';

/** Who runs this process, as the system calls them. */
export const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as containers have.
    return 'you';
  }
};
