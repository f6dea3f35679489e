import { defined } from '../../core/runtime/defined.ts';
import type { Person } from '../../core/values/conversation.ts';
import { denial } from '../access/denial.ts';
import type { Context, Press, Services } from '../command.ts';
import type { Annotations, Form } from './form.ts';

/** A button that asks a form and where its command counts. It grants nothing: rights are asked where it counts. */
export const formButton = (
  services: Services,
  form: Form,
  deed: string,
  annotate: (caller: Person) => Promise<Annotations> = async () => ({}),
): Press => ({
  checksAccessItself: true,
  run: async (_id, context) => {
    const { surface, caller } = context;
    if (!(await mayAnywhere(services, form.command, context)))
      return surface.answerPress(denial(services, context, { what: form.command, deed }));
    const requester = `${caller.platform}:${caller.id}`;
    const { payments } = await services.store.listPayments({ requester }, { limit: 1 });
    // The place of the person's last charge is offered first.
    const where = defined({ last: payments[0]?.conversation.channel });
    await surface.ask(form, {}, { where, ...(await annotate(caller)) });
  },
});

/** Whether a command is granted to the person, or in a conversation where people of the platform have rights. */
const mayAnywhere = async (
  { access, placesOf }: Services,
  command: string,
  { caller, grants }: Context,
): Promise<boolean> => {
  const there = placesOf(caller.platform).map((channel) =>
    access.grantsOf({ ...caller, conversation: { ...caller.conversation, channel } }),
  );
  return [grants, ...(await Promise.all(there))].some((each) => each.may(command));
};
