import type { Suspensions } from '../../core/guards/suspensions.ts';
import { approvalPlace, type ChargeDraft } from '../../core/records/draft.ts';
import type { Access } from '../access/access.ts';
import type { Called } from '../cards/card.ts';

/** More mentions than this would bury the question. */
const MOST_CALLED = 10;

/**
 * The people and user groups to call upon for an approval: those whom the access file names, without the
 * requester and suspended people. A channel or a group that grants is not called: it reads the question anyway.
 */
export const approversOf = async (
  access: Partial<Pick<Access, 'approvers'>>,
  suspensions: Pick<Suspensions, 'all'>,
  draft: ChargeDraft,
): Promise<readonly Called[]> => {
  const { platform } = approvalPlace(draft);
  const stopped = new Set((await suspensions.all()).map(({ of }) => of));
  const may = (id: string) => id !== draft.requester.id && !stopped.has(`${platform}:${id}`);
  return (access.approvers?.(platform) ?? [])
    .filter(({ kind, id }) => kind === 'group' || may(id))
    .slice(0, MOST_CALLED)
    .map(({ kind, id }) =>
      kind === 'group' ? { platform, group: id } : { platform, id, name: 'approver' },
    );
};
