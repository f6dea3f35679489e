import type { Person } from '../core/values/conversation.ts';
import type { Services } from './command.ts';
import type { Annotations } from './forms/form.ts';

/** For a form that is asked outside of a conversation: it asks where its command counts, and offers the person's last place first. */
export const askingWhere = async (
  { store }: Pick<Services, 'store'>,
  { platform, id }: Person,
): Promise<Annotations> => {
  const newest = await store.listPayments({ requester: `${platform}:${id}` }, { limit: 1 });
  const last = newest.payments[0]?.conversation.channel;
  return { where: last === undefined ? {} : { last } };
};
