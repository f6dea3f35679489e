import type { Person } from '../core/values/conversation.ts';
import type { Press, Services } from './command.ts';
import type { Annotations, Form } from './forms/form.ts';

/**
 * A button outside of a conversation that asks a form, and where its command counts. It grants nothing: what may be
 * done is asked where it counts.
 */
export const formButton = (
  services: Pick<Services, 'store'>,
  form: Form,
  annotate: (caller: Person) => Promise<Annotations> = async () => ({}),
): Press => ({
  checksAccessItself: true,
  run: async (_id, { surface, caller }) =>
    surface.ask(
      form,
      {},
      {
        ...(await askingWhere(services, caller)),
        ...(await annotate(caller)),
      },
    ),
});

/** The place of the person's last charge is offered first. */
const askingWhere = async (
  { store }: Pick<Services, 'store'>,
  { platform, id }: Person,
): Promise<Annotations> => {
  const newest = await store.listPayments({ requester: `${platform}:${id}` }, { limit: 1 });
  const last = newest.payments[0]?.conversation.channel;
  return { where: last === undefined ? {} : { last } };
};
