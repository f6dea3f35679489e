import { chargeLimitGuards } from '../../core/guards/limit-guards.ts';
import type { Press } from '../../core/payments/draft-audit.ts';
import type { ConfirmingPress } from '../../core/payments/payments.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import type { Payment } from '../../core/records/payment.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Grants } from '../access/access.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Context, Services } from '../command.ts';
import { overtakenCard } from '../draft-buttons.ts';
import type { Surface } from '../inbound.ts';
import { approvalEndCard } from './approval-end-cards.ts';
import { countedRoles, roomToday } from './charge-limits.ts';
import { questionCard } from './charge-question.ts';
import { repeatedBy, repetitionWarning } from './charge-warnings.ts';

/** Two confirmations for one customer rarely meet; this many times in a row something else is wrong. */
const MOST_TRIES = 20;
/** How long the answer to a press waits for the card, to be able to say that it could not be posted. */
const CARD_PATIENCE_MS = 20_000;

/** From the press that counts to the confirmed payment, past everything that can still speak against it. */
export class ChargeConfirmation {
  readonly #services: Services;
  /** One after the other in this process; over several instances the guards see to it. */
  readonly #lock = new KeyedLock();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Confirms if the requester still may, the day has room, and nobody asked for the same meanwhile. */
  async run(draft: ChargeDraft, press: Press, context: Context): Promise<void> {
    const { access } = this.#services;
    const { requester, conversation } = draft;
    const whose = countedRoles(await access.grantsOf({ ...requester, conversation }));
    const key = whose.length > 0 ? 'totals of roles' : `${requester.platform}:${requester.id}`;
    await this.#lock.run(key, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++)
        if (await this.#try(draft, press, context)) return;
      throw new Error(`draft ${draft.id}: ${MOST_TRIES} times another charge came between`);
    });
  }

  /** False: another charge came between, so look again. */
  async #try(draft: ChargeDraft, press: Press, context: Context): Promise<boolean> {
    const { store, clock, access } = this.#services;
    const { requester, conversation } = draft;
    const { surface, caller: presser } = context;
    const caller = { ...requester, conversation };
    // Read before anything is found out: what changes afterwards changes a guard, and the commit is refused.
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
    // Not waited for: other events must not queue up behind a slow chat.
    void this.#tellIfImpossible(payment, surface).catch((error) =>
      log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
    return true;
  }

  /** Charges like this one that were not there when it was shown. */
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

  /** Another payment has its transaction id, by chance. A new draft gets a new one. */
  async #hasTakenId({ paymentId }: ChargeDraft): Promise<boolean> {
    return (await this.#services.payments.get(paymentId)) !== undefined;
  }

  /** The requester looks at the prompt just pressed: say it there when the card cannot be posted. */
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

/** Chance gave its transaction id to another payment as well. */
const takenIdCard = plainCard('That did not work', 'Nothing was charged. Type the command again.');
