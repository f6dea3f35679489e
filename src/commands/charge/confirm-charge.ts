import { chargeLimitGuards } from '../../core/guards/limit-guards.ts';
import type { Press } from '../../core/payments/draft-audit.ts';
import type { ConfirmingPress } from '../../core/payments/payments.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import type { Payment } from '../../core/records/payment.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { type Context, momentOf, type Services } from '../command.ts';
import { GuardedConfirmations, overtakenCard } from '../draft-buttons.ts';
import type { Surface } from '../inbound.ts';
import { chargingAt } from '../merchants.ts';
import { whyNotAgain } from './another-try.ts';
import { approvalEndCard } from './approval-cards.ts';
import { countedRoles, notChargedCard, roomToday } from './charge-limits.ts';
import { earlierTo, questionCard, repetitionWarning } from './charge-question.ts';

/** How long the answer to a press waits for the card, to be able to say that it could not be posted. */
const CARD_PATIENCE_MS = 20_000;

type Tell = () => Promise<void>;

/** Turns a pressed draft into a confirmed payment, after the checks that need the newest state. */
export class ChargeConfirmation {
  readonly #services: Services;
  readonly #confirmations = new GuardedConfirmations();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Confirms if the requester still has the right, the limits have room, and no like charge was confirmed since the draft was shown. */
  async run(draft: ChargeDraft, press: Press, context: Context): Promise<void> {
    const { access } = this.#services;
    const { requester, conversation } = draft;
    const whose = countedRoles(await access.grantsOf({ ...requester, conversation }));
    const key = whose.length > 0 ? 'totals of roles' : `${requester.platform}:${requester.id}`;
    await this.#confirmations.run(key, draft.id, () => this.#try(draft, press, context));
  }

  async #try(draft: ChargeDraft, press: Press, context: Context): Promise<Tell | 'again'> {
    const { store, clock, access, log, payments } = this.#services;
    const { requester, conversation, terms, repeats: seen = [] } = draft;
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
        return () => surface.refusePress(why);
      }
    }
    const grants = await access.grantsOf(caller);
    if (!grants.may('charge')) {
      logRefusal(log, context, 'charge for somebody who may not any more');
      return () => surface.refusePress(mayNotCard(requester.name, grants.suspended !== undefined));
    }
    const why = this.#whyNotFor(draft);
    if (why !== undefined) return () => surface.refusePress(why);
    const first = draft.retryOf === undefined ? undefined : await payments.get(draft.retryOf);
    const notAgain = first && whyNotAgain(first);
    if (notAgain !== undefined) return () => surface.refusePress(notAgain);
    const room = await roomToday(this.#services, grants, requester, terms.amount);
    if (!room.fits) return () => surface.replace(notChargedCard(room.why));
    const { repeats } = await earlierTo(this.#services, terms);
    const unseen = repeats.filter(({ id }) => !seen.includes(id));
    if (unseen.length > 0) return () => this.#askAgain(draft, unseen, press, context);
    return this.#confirm(draft, { ...press, guards, countedFor: room.role }, context);
  }

  /** Asked again: the merchants may be others since the question was shown. */
  #whyNotFor({ requester, conversation, terms }: ChargeDraft): Card | undefined {
    const charging = chargingAt(this.#services.settings, { ...requester, conversation });
    if (!charging.ok) return charging.why;
    return charging.merchant?.name === terms.merchant ? undefined : otherMerchantCard;
  }

  async #confirm(
    draft: ChargeDraft,
    press: ConfirmingPress,
    context: Context,
  ): Promise<Tell | 'again'> {
    const { surface, caller, pressed } = context;
    const { payments, drafts } = this.#services;
    const question = draft.status === 'awaiting approval' ? draft.question : pressed;
    const card = question?.canBecomeCard === true ? { card: question.ref } : {};
    const payment = await payments.confirm(draft, personOf(caller), { ...press, ...card });
    if (payment !== undefined) return () => this.#tellConfirmed(draft, payment, context);
    const newest = await drafts.get(draft.id);
    if (newest?.version !== draft.version) {
      const why = await overtakenCard(draft.id, this.#services);
      return () => surface.refusePress(why);
    }
    const isIdTaken = (await payments.get(draft.paymentId)) !== undefined;
    return isIdTaken ? () => surface.replace(takenIdCard) : 'again';
  }

  async #tellConfirmed(draft: ChargeDraft, payment: Payment, context: Context): Promise<void> {
    const { surface, caller, pressed } = context;
    const { log, settings } = this.#services;
    const closed = { closedBy: personOf(caller), closedAtMs: payment.confirmedAtMs };
    if (draft.status === 'awaiting approval')
      await surface.replace(
        approvalEndCard({ ...draft, ...closed, status: 'done' }, settings.timeZone),
      );
    else if (pressed?.canBecomeCard === false)
      await surface.replace(plainCard(`Confirmed: ${formatMoney(draft.terms.amount)}`));
    if (payment.card !== undefined) return;
    // Not awaited: events behind this one must not wait for a slow chat.
    void this.#tellIfImpossible(payment, surface).catch((error) =>
      log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
  }

  /** For charges like this one that came after the draft was shown. */
  async #askAgain(
    draft: ChargeDraft,
    unseen: readonly Payment[],
    press: Press,
    { caller, surface, grants }: Context,
  ): Promise<void> {
    const { drafts } = this.#services;
    const { warnings, repeats = [] } = draft;
    const moment = momentOf(this.#services);
    const told = unseen.slice(0, 1).map((each) => repetitionWarning(each, moment));
    const changed = {
      ...draft,
      warnings: [...told, ...warnings],
      repeats: [...unseen.map(({ id }) => id), ...repeats],
    };
    const shown = await drafts.showAgain<ChargeDraft>(changed, caller, press, { told });
    await (shown === undefined
      ? surface.refusePress(await overtakenCard(draft.id, this.#services))
      : surface.replace(await questionCard(this.#services, shown, grants)));
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
      await surface.replace(notChargedCard(seen.reason));
  }
}

const mayNotCard = (name: string, isSuspended: boolean): Card =>
  plainCard(
    'Not possible any more',
    `${name} ${isSuspended ? 'is stopped' : 'may no longer charge'}. Nothing was charged.`,
  );

const otherMerchantCard = plainCard(
  'Not possible any more',
  'This conversation charges for another merchant now. Nothing was charged. Type the command again.',
);

/** Another payment has the same random transaction id; a new draft gets a new one. */
const takenIdCard = plainCard('Nothing was charged', 'Type the command again.', 'warning');
