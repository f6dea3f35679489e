import type { Suspensions } from '../../core/guards/suspensions.ts';
import type { Access } from './access.ts';

/** The access file, but nothing for whoever is suspended. What cannot be read from the store is not granted. */
export const withSuspensions = (
  access: Pick<Access, 'grantsOf'>,
  suspensions: Suspensions,
): Pick<Access, 'grantsOf'> => ({
  grantsOf: async (caller) => {
    const [grants, suspended] = await Promise.all([
      access.grantsOf(caller),
      suspensions.find(`${caller.platform}:${caller.id}`),
    ]);
    return suspended === undefined
      ? grants
      : {
          roles: grants.roles,
          may: () => false,
          charging: [],
          approve: false,
          admin: false,
          reveal: false,
          suspended,
        };
  },
});
