import { chargeLimitGuards } from '../../core/guards/limit-guards.ts';
import type { Press } from '../../core/payments/drafts.ts';
import type { ConfirmingPress } from '../../core/payments/payments.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import type { Payment } from '../../core/records/payment.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Grants } from '../access/access.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Context, Services } from '../command.ts';
import { overtakenCard } from '../draft-buttons.ts';
import { GuardedRetry } from '../guarded-retry.ts';
import type { Surface } from '../inbound.ts';
import { approvalEndCard } from './approval-end-cards.ts';
import { countedRoles, roomToday } from './charge-limits.ts';
import { questionCard } from './charge-question.ts';
import { repeatedBy, repetitionWarning } from './charge-warnings.ts';

/** How long the answer to a press waits for the card, to be able to say that it could not be posted. */
const CARD_PATIENCE_MS = 20_000;

/** Turns a pressed draft into a confirmed payment, after the checks that need the newest state. */
export class ChargeConfirmation {
  readonly #services: Services;
  readonly #retry = new GuardedRetry();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Confirms if the requester still has the right, the limits have room, and no like charge was confirmed since the draft was shown. */
  async run(draft: ChargeDraft, press: Press, context: Context): Promise<void> {
    const { access } = this.#services;
    const { requester, conversation } = draft;
    const whose = countedRoles(await access.grantsOf({ ...requester, conversation }));
    const key = whose.length > 0 ? 'totals of roles' : `${requester.platform}:${requester.id}`;
    await this.#retry.run(key, draft.id, () => this.#try(draft, press, context));
  }

  /** False: another charge changed a guard, so every check has to run again. */
  async #try(draft: ChargeDraft, press: Press, context: Context): Promise<boolean> {
    const { store, clock, access } = this.#services;
    const { requester, conversation } = draft;
    const { surface, caller: presser } = context;
    const caller = { ...requester, conversation };
    // Read before the checks below: a change after this line changes a guard, and the store refuses the commit.
    const guards = await chargeLimitGuards({ store, clock }, draft, {
      presser,
      roles: countedRoles(await access.grantsOf(caller)),
    });
    if (draft.status === 'awaiting approval') {
      const own = await access.grantsOf(presser);
      if (!own.approve) {
        const why = mayNotApprove(this.#services, { ...context, grants: own });
        await surface.refusePress(why);
        return true;
      }
    }
    const grants = await access.grantsOf(caller);
    if (!grants.may('charge')) {
      logRefusal(this.#services.log, context, 'charge for somebody who may not any more');
      await surface.refusePress(mayNotCard(requester.name, grants));
      return true;
    }
    const room = await roomToday(this.#services, grants, requester, draft.terms.amount);
    if (!room.fits) {
      await surface.replace(problemCard({ message: room.why }));
      return true;
    }
    const unseen = await this.#unseenRepeats(draft);
    if (unseen.length > 0) {
      await this.#askAgain(draft, unseen, press, context);
      return true;
    }
    return this.#confirm(draft, { ...press, guards, countedFor: room.role }, context);
  }

  async #confirm(draft: ChargeDraft, press: ConfirmingPress, context: Context): Promise<boolean> {
    const { surface, caller, pressed } = context;
    const { payments, drafts, log, settings } = this.#services;
    const presser = personOf(caller);
    const isApproval = draft.status === 'awaiting approval';
    const question = isApproval ? draft.question : pressed;
    const card = question?.canBecomeCard === true ? { card: question.ref } : {};
    const payment = await payments.confirm(draft, presser, { ...press, ...card });
    if (payment === undefined) {
      const newest = await drafts.get(draft.id);
      const isOpen = newest?.version === draft.version;
      if (isOpen && !(await this.#hasTakenId(draft))) return false;
      await (isOpen
        ? surface.replace(takenIdCard)
        : surface.refusePress(await overtakenCard(draft.id, this.#services)));
      return true;
    }
    const approved = { ...draft, status: 'done', closedBy: presser } as const;
    if (isApproval)
      await surface.replace(
        approvalEndCard({ ...approved, closedAtMs: payment.confirmedAtMs }, settings.timeZone),
      );
    else if (pressed?.canBecomeCard === false)
      await surface.replace(plainCard(`Confirmed: ${formatMoney(draft.terms.amount)}`));
    if (payment.card !== undefined) return true;
    // Not awaited: events behind this one must not wait for a slow chat.
    void this.#tellIfImpossible(payment, surface).catch((error) =>
      log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
    return true;
  }

  /** Charges like this one that came after the draft was shown. */
  async #unseenRepeats({ terms, repeats: seen = [] }: ChargeDraft): Promise<Payment[]> {
    const repeats = await repeatedBy(this.#services, terms);
    return repeats.filter(({ id }) => !seen.includes(id));
  }

  async #askAgain(
    draft: ChargeDraft,
    unseen: readonly Payment[],
    press: Press,
    context: Context,
  ): Promise<void> {
    const { caller, surface, grants } = context;
    const { drafts, settings } = this.#services;
    const news = {
      warnings: unseen.slice(0, 1).map((each) => repetitionWarning(each, settings.timeZone)),
      repeats: unseen.map(({ id }) => id),
    };
    const revised = await drafts.revise(draft, news, caller, press);
    await (revised === undefined
      ? surface.refusePress(await overtakenCard(draft.id, this.#services))
      : surface.replace(await questionCard(this.#services, revised, grants)));
  }

  /** Another payment has the same random transaction id. A new draft gets a new one. */
  async #hasTakenId({ paymentId }: ChargeDraft): Promise<boolean> {
    return (await this.#services.payments.get(paymentId)) !== undefined;
  }

  /** The requester looks at the question just pressed, so it says there that the card could not be posted. */
  async #tellIfImpossible(payment: Payment, surface: Surface): Promise<void> {
    const { clock, payments } = this.#services;
    const patience = new AbortController();
    void clock.sleep(CARD_PATIENCE_MS, patience.signal).then(() => patience.abort());
    const seen = await payments.until(
      payment.id,
      ({ card, state }) => card !== undefined || state !== 'confirmed',
      patience.signal,
    );
    patience.abort();
    if (seen?.state === 'not sent' && seen.card === undefined)
      await surface.replace(
        problemCard({ message: `Nothing was charged. ${seen.reason ?? ''}`.trim() }),
      );
  }
}

const mayNotCard = (name: string, { suspended }: Grants) =>
  plainCard(
    'Not possible any more',
    `${name} ${suspended === undefined ? 'may no longer charge' : 'has been suspended'}. Nothing was charged.`,
  );

/** Another payment has the same random transaction id. */
const takenIdCard = plainCard('That did not work', 'Nothing was charged. Type the command again.');
