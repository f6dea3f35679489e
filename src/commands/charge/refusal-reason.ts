import { type ApprovableDraft, isApprovable } from '../../core/records/draft.ts';
import { mayNotApprove } from '../access/denial.ts';
import { type Card, cardOf, part, plainCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { goneCard, ofAnother, type PressRefusal } from '../draft-buttons.ts';
import { buttonForm } from '../forms/button-form.ts';
import { ownWords } from '../forms/own-words.ts';

/** The person who refused a charge says why: a button, and its form. */
export const refusalReason = (services: Services) =>
  buttonForm(services, {
    command: 'refusal',
    title: 'Why did you refuse?',
    submitLabel: 'Send',
    inputs: {
      reason: {
        label: 'Reason',
        hint: 'In one sentence, such as: Over the budget.',
        check: ownWords,
      },
    },
    find: (id, context) => draftToExplain(services, id, context),
    run: async (draft, { reason }, { surface, caller }) => {
      const press = { button: 'why', where: caller.conversation };
      const isTold = await services.drafts.explainRefusal(draft.id, reason, caller, press);
      await surface.say(isTold ? toldCard(draft, reason) : saidCard(draft));
    },
  });

/** The draft whose refusal this person may explain now; or why they may not. */
const draftToExplain = async (
  services: Services,
  id: string,
  context: Context,
): Promise<ApprovableDraft | PressRefusal> => {
  const { drafts, clock } = services;
  const { caller, grants } = context;
  const draft = await drafts.get(id);
  const by = draft?.closedBy;
  const isRefused = draft !== undefined && isApprovable(draft) && draft.status === 'refused';
  if (!isRefused || by?.platform !== caller.platform) return { why: goneCard };
  if (by.id !== caller.id) return ofAnother(by, 'Refused by', context, services);
  if (!grants.approve) return { why: mayNotApprove(services, context) };
  if (draft.refusal !== undefined) return { why: saidCard(draft) };
  return clock.now() >= drafts.explainableUntilMs(draft) ? { why: tooLateCard(draft) } : draft;
};

const toldCard = ({ requester }: ApprovableDraft, reason: string): Card =>
  cardOf(`${requester.name} reads your reason`, [part.quote(reason)]);

const saidCard = ({ requester }: ApprovableDraft): Card =>
  plainCard('You already said why', `${requester.name} has your first reason.`);

const tooLateCard = ({ requester }: ApprovableDraft): Card =>
  plainCard('Too late', `The time to say why is over. Tell ${requester.name} yourself.`);
