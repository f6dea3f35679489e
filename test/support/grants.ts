import type { Grants } from '../../src/commands/access/grants.ts';

/** Somebody who may do everything without a limit, but for what is said otherwise. */
export const allGrants = (but: Partial<Grants> = {}): Grants => ({
  roles: ['all'],
  may: () => true,
  charging: [{ role: 'all' }],
  approve: true,
  admin: true,
  reveal: true,
  ...but,
});
