import { type Card, plainCard } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import { accessEndCard, roleKey } from './access-request-cards.ts';
import { denial } from './denial.ts';

/** The buttons of the question to the operators: a role, or no. Administrators alone may press, and none for themselves. */
export const answerAccessPresses = (
  services: Services,
): Readonly<Record<'give-role' | 'no-access', Press>> => ({
  'give-role': {
    checksAccessItself: true,
    run: async (pressed, context) => {
      const [id = '', key] = pressed.split('.');
      if (!context.grants.admin) return refuse(services, context);
      // Looked up at the press: a role that was taken out of the file since can no longer be given.
      const role = services.givableRoles().find(({ name }) => roleKey(name) === key);
      if (role === undefined) return context.surface.refusePress(goneRoleCard);
      await answer(services, context, id, role.name);
    },
  },
  'no-access': {
    checksAccessItself: true,
    run: async (id, context) => {
      if (!context.grants.admin) return refuse(services, context);
      await answer(services, context, id);
    },
  },
});

const refuse = (services: Services, context: Context): Promise<void> =>
  context.surface.refusePress(
    denial(services, context, { what: 'give access', deed: 'give access' }),
  );

const answer = async (
  { chatGrants, settings: { timeZone } }: Services,
  { caller, surface }: Context,
  id: string,
  role?: string,
): Promise<void> => {
  const given = { by: caller, at: caller.conversation, ...(role === undefined ? {} : { role }) };
  const answered = await chatGrants.answer(id, given);
  if (answered === undefined) return surface.refusePress(tooOldCard, 'over');
  const { kind, request } = answered;
  if (kind === 'own') return surface.refusePress(ownCard);
  const card = accessEndCard(request, timeZone);
  // The question itself is edited by the notice of the first answer.
  await (kind === 'done' ? surface.replace(card) : surface.refusePress(card));
};

const ownCard: Card = plainCard(
  'You cannot answer your own request',
  'Nothing was changed. Another administrator has to answer.',
);

const goneRoleCard: Card = plainCard(
  'This role is gone',
  'Nothing was changed. The access file has no such role now.',
);

const tooOldCard: Card = plainCard(
  'This request is too old',
  'Nothing was changed. The person can ask again.',
);
