import type { Suspensions } from '../../core/guards/suspensions.ts';
import type { Access } from './access.ts';

/** The grants of the access file; none for a suspended person. Rejects when the store cannot be read, so nothing is granted. */
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
