import { type ApprovableDraft, isApprovable } from '../../core/records/draft.ts';
import { mayNotApprove } from '../access/denial.ts';
import { type Card, cardOf, part, plainCard, problemCard } from '../cards/card.ts';
import type { Context, FormOfButton, Press, Services } from '../command.ts';
import { goneCard, ofAnother, type PressRefusal, refuse } from '../draft-buttons.ts';
import type { Form } from '../forms/form.ts';
import { ownWords } from '../forms/own-words.ts';

const reasonForm: Form = {
  command: 'refusal',
  title: 'Why did you refuse?',
  submitLabel: 'Send',
  fields: [
    {
      name: 'reason',
      label: 'Reason',
      hint: 'In one sentence, such as: Over the budget.',
      check: ownWords,
    },
  ],
};

export const refusalReason = (services: Services): { press: Press; form: FormOfButton } => {
  const { drafts, clock } = services;

  /** The draft whose refusal this person may explain now; or why they may not. */
  const draftToExplain = async (
    id: string,
    context: Context,
  ): Promise<ApprovableDraft | PressRefusal> => {
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

  return {
    press: {
      checksAccessItself: true,
      run: async (id, context) => {
        const draft = await draftToExplain(id, context);
        if ('why' in draft) return refuse(draft, context);
        await context.surface.ask(reasonForm, { draft: draft.id });
      },
    },
    form: {
      form: reasonForm,
      checksAccessItself: true,
      submit: async (answers, context) => {
        const { surface, caller } = context;
        const draft = await draftToExplain(answers['draft'] ?? '', context);
        if ('why' in draft) return refuse(draft, context);
        const reason = ownWords(answers['reason'] ?? '');
        if (!reason.ok) return surface.say(problemCard(reason.problem));
        const press = { button: 'why', where: caller.conversation };
        const isTold = await drafts.explainRefusal(draft.id, reason.value, caller, press);
        await surface.say(isTold ? toldCard(draft, reason.value) : saidCard(draft));
      },
    },
  };
};

const toldCard = ({ requester }: ApprovableDraft, reason: string): Card =>
  cardOf(`${requester.name} reads your reason`, [part.quote(reason)]);

const saidCard = ({ requester }: ApprovableDraft): Card =>
  plainCard('You already said why', `${requester.name} has your first reason.`);

const tooLateCard = ({ requester }: ApprovableDraft): Card =>
  plainCard('Too late', `The time to say why is over. Tell ${requester.name} yourself.`);
