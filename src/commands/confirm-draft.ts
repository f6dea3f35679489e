import {
  type ApprovableDraft,
  amountAsked,
  type Draft,
  isApprovable,
  isOfFile,
} from '../core/records/draft.ts';
import type { ConfirmingPress, Put } from '../core/records/records.ts';
import { defined } from '../core/runtime/defined.ts';
import { KeyedLock } from '../core/runtime/keyed-lock.ts';
import { STALE, untilStored } from '../core/store/until-stored.ts';
import { type MessageRef, type Person, personOf } from '../core/values/conversation.ts';
import { CAN_CHANGE, logRefusal, mayNotApprove } from './access/denial.ts';
import type { Grants } from './access/grants.ts';
import { type Card, plainCard } from './cards/card.ts';
import { approvalEndCard, waitingCard } from './charge/approval-cards.ts';
import type { Context, Press, Services } from './command.ts';
import {
  awaitingApprovalCard,
  goneCard,
  nothingDone,
  overtakenCard,
  pressOn,
  requestersDraft,
} from './draft-buttons.ts';
import { refusalFor } from './merchants.ts';

export type Tell = () => Promise<void>;

/** The question with what came since it was shown, to be asked once more. `told`: what it warns of now. */
export type Again<D> = {
  readonly again: D;
  readonly told?: readonly string[];
  readonly pages?: readonly Put[];
};

/** What the checks found. `confirm`: undefined when another press was first, or a guard has changed. */
type Checked<D, Made> =
  | Tell
  | Again<D>
  | { confirm(presser: Person, press: ConfirmingPress): Promise<Made | undefined> };

/** How a question becomes what it asks for: a payment, an SMS, the run of a file. */
export type Confirming<D extends Draft, Made> = {
  readonly is: (draft: Draft) => draft is D;
  /** The verb of its requester's button. */
  readonly button: string;
  /** The command that its requester still has to be granted. */
  readonly right: string;
  question(draft: D, context: Context): Card | Promise<Card>;
  /** The grants with the limits that count. @default as they are */
  limitsIn?(grants: Grants): Grants;
  /** What an approver is asked, where one has to press as well. @default none has to */
  toApprove?(draft: D, grants: Grants): Promise<ApprovableDraft | undefined>;
  /** What its requester may do by that right: they may no longer charge. */
  readonly deed: string;
  /** Presses with the same key are served one after the other in this process. @default those of one requester */
  keyOf?(draft: D, grants: Grants): string;
  /** Read before all checks: a change after this changes a guard, and the store refuses the commit. */
  guardsOf(draft: D, presser: Person, grants: Grants): Promise<readonly Put[]>;
  /** What else may be in the way. What it reads for the commit it reads before it looks. */
  check(draft: D, grants: Grants, context: Context): Promise<Checked<D, Made>>;
  /** Why it can never be confirmed though no press closed it; undefined: it can be tried again. */
  whyTaken?(draft: D, context: Context): Promise<Tell | undefined>;
  tellConfirmed(draft: D, made: Made, context: Context): Promise<void>;
};

type Pressed = { readonly button: string; readonly context: Context };

/** Confirms what was pressed, each again while another confirmation changed a guard first. */
export const confirmer = (services: Services) => {
  /** Serialises them within this process; the guards do so over several instances. */
  const lock = new KeyedLock();
  return async <D extends Draft, Made>(
    kind: Confirming<D, Made>,
    draft: D,
    pressed: Pressed,
  ): Promise<void> => {
    const { requester, conversation } = draft;
    const granted = await services.access.grantsOf({ ...requester, conversation });
    const key = kind.keyOf?.(draft, granted) ?? `${requester.platform}:${requester.id}`;
    await lock.run(key, async () => {
      const tell = await untilStored(`draft ${draft.id}`, () =>
        tryOnce(services, kind, draft, pressed),
      );
      return tell();
    });
  };
};

export const confirmPress = <D extends Draft, Made>(
  services: Services,
  kind: Confirming<D, Made>,
  confirm = confirmer(services),
): Press => ({
  run: pressOn(requestersDraft(services), async (draft, context, revision) => {
    const { surface } = context;
    if (!kind.is(draft)) return surface.answerPress(goneCard);
    if (draft.status === 'awaiting approval')
      return surface.answerPress(awaitingApprovalCard(draft));
    // For the button of an earlier showing: only the latest one can be confirmed.
    if (revision !== (draft.revision ?? 0) || (isOfFile(draft) && draft.zeroAsked !== undefined))
      return surface.replace(await kind.question(draft, context));
    await confirm(kind, draft, { button: kind.button, context });
  }),
});

const otherMerchantCard = (draft: Draft): Card => {
  const again = isOfFile(draft) ? 'Send the file again.' : 'Type the command again.';
  const text = `This conversation belongs to another merchant now. ${nothingDone(draft)} ${again}`;
  return plainCard('Not possible any more', text);
};

const askApproval = async (
  services: Services,
  draft: ApprovableDraft,
  { button, context: { surface, caller, grants, pressed } }: Pressed,
): Promise<void> => {
  const { drafts, settings, approversFor } = services;
  const found = await approversFor(draft, grants, amountAsked(draft));
  if (!found.ok) return surface.answerPress(found.why);
  const { ok: _, ...approvers } = found;
  const asking = { ...approvers, ...defined({ question: pressed, limit: grants.maxCharge }) };
  const press = { button, where: caller.conversation };
  const waiting = await drafts.awaitApproval(draft, asking, press);
  await (waiting === undefined
    ? surface.answerPress(await overtakenCard(draft.id, services))
    : surface.replace(waitingCard(waiting, settings.timeZone)));
};

const tryOnce = async <D extends Draft, Made>(
  services: Services,
  kind: Confirming<D, Made>,
  draft: D,
  { button, context }: Pressed,
): Promise<Tell | typeof STALE> => {
  const { access, drafts, log, settings } = services;
  const { surface, caller: presser } = context;
  const { requester, conversation, status } = draft;
  const refuse =
    (why: Card): Tell =>
    () =>
      surface.answerPress(why);
  const caller = { ...requester, conversation };
  const granted = await access.grantsOf(caller);
  const guards = await kind.guardsOf(draft, presser, kind.limitsIn?.(granted) ?? granted);
  if (status === 'awaiting approval') {
    const own = await access.grantsOf(presser);
    if (!own.approve) return refuse(mayNotApprove(services, { ...context, grants: own }));
  }
  const grants = await access.grantsOf(caller);
  if (!grants.may(kind.right)) {
    logRefusal(log, context, `${kind.right} for somebody who may not any more`);
    const why = grants.suspended === undefined ? `may no longer ${kind.deed}` : 'is stopped';
    const text = `${requester.name} ${why}. ${nothingDone(draft)} ${CAN_CHANGE}`;
    return refuse(plainCard('Not possible any more', text));
  }
  // Asked again: the merchants may be others since the question was shown.
  const other =
    draft.kind === 'given back'
      ? undefined
      : refusalFor(settings, caller, draft.terms.merchant, otherMerchantCard(draft));
  if (other !== undefined) return refuse(other);
  const limits = kind.limitsIn?.(grants) ?? grants;
  // Asked at the press and under the guards, because limits change.
  const asked = status === 'open' ? await kind.toApprove?.(draft, limits) : undefined;
  if (asked !== undefined)
    return () => askApproval(services, asked, { button, context: { ...context, grants: limits } });
  const found = await kind.check(draft, limits, context);
  if (typeof found === 'function') return found;
  if ('again' in found) return () => showAgain(services, kind, found, { button, context });
  const made = await found.confirm(personOf(presser), {
    button,
    where: presser.conversation,
    guards,
    ...becomingCard(draft, context),
  });
  if (made !== undefined) return () => kind.tellConfirmed(draft, made, context);
  if ((await drafts.get(draft.id))?.version !== draft.version)
    return refuse(await overtakenCard(draft.id, services));
  return (await kind.whyTaken?.(draft, context)) ?? STALE;
};

const becomingCard = (draft: Draft, { pressed }: Context): { readonly card?: MessageRef } => {
  const isAsked = draft.status === 'awaiting approval' && 'question' in draft;
  const question = isAsked ? draft.question : pressed;
  return question?.canBecomeCard === true ? { card: question.ref } : {};
};

/** Stores the question as it is now, and shows it in the place of the one that was pressed. */
export const showAgain = async <D extends Draft>(
  services: Services,
  kind: Pick<Confirming<D, unknown>, 'question'>,
  { again, ...more }: Again<D>,
  { button, context }: Pressed,
): Promise<void> => {
  const { surface, caller } = context;
  const press = { button, where: caller.conversation };
  const shown = await services.drafts.showAgain(again, caller, press, more);
  await (shown === undefined
    ? surface.answerPress(await overtakenCard(again.id, services))
    : surface.replace(await kind.question(shown, context)));
};

/**
 * Shows on the pressed message what became of it: the end of an approval. Where it does not become the card, the card
 * says all, so the question goes; `card` takes its place where it cannot.
 */
export const showConfirmed = async (
  { settings }: Pick<Services, 'settings'>,
  draft: Draft,
  { card, atMs }: { readonly card: Card; readonly atMs: number },
  { surface, caller, pressed }: Context,
): Promise<void> => {
  if (draft.status === 'awaiting approval' && isApprovable(draft)) {
    const closed = { closedBy: personOf(caller), closedAtMs: atMs, status: 'done' } as const;
    await surface.replace(approvalEndCard({ ...draft, ...closed }, settings.timeZone));
  } else if (pressed?.canBecomeCard === false && !(await surface.withdraw?.()))
    await surface.replace(card);
};
