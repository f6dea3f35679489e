import { chargeLimitGuards } from '../../core/guards/limit-guards.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import type { Payment } from '../../core/records/payment.ts';
import { formatMoney } from '../../core/values/money.ts';
import { plainCard } from '../cards/card.ts';
import { paymentButtons } from '../cards/payment-card.ts';
import { momentOf, type Services } from '../command.ts';
import { type Confirming, showConfirmed } from '../confirm-draft.ts';
import type { Surface } from '../inbound.ts';
import { whyNotAgain } from './another-try.ts';
import { countedRoles, neededApproval, notChargedCard, roomToday } from './charge-limits.ts';
import { earlierTo, questionCard, repetitionWarning } from './charge-question.ts';

/** How long the answer to a press waits for the card, to be able to say that it could not be posted. */
const CARD_PATIENCE_MS = 20_000;

/** A confirmed question of a charge becomes a payment, after the checks that need the newest state. */
export const confirmingCharge = (services: Services): Confirming<ChargeDraft, Payment> => ({
  is: (draft) => draft.kind === 'charge',
  button: 'charge',
  right: 'charge',
  question: (draft, { grants }) => questionCard(services, draft, grants),
  toApprove: async (draft, grants) =>
    neededApproval(grants, draft.terms.amount) ? draft : undefined,
  deed: 'charge',
  keyOf: ({ requester: { platform, id } }, grants) =>
    countedRoles(grants).length > 0 ? 'totals of roles' : `${platform}:${id}`,
  guardsOf: (draft, presser, grants) =>
    chargeLimitGuards(services, draft, { presser, roles: countedRoles(grants) }),
  check: async (draft, grants, { surface }) => {
    const { requester, terms, retryOf, warnings, repeats: seen = [] } = draft;
    const first = retryOf === undefined ? undefined : await services.payments.get(retryOf);
    const notAgain = first && whyNotAgain(first);
    if (notAgain !== undefined) return () => surface.answerPress(notAgain);
    const room = await roomToday(services, grants, requester, terms.amount);
    if (!room.fits) return () => surface.replace(room.why);
    // For charges like this one that came after the draft was shown.
    const { repeats } = await earlierTo(services, terms);
    const unseen = repeats.filter(({ id }) => !seen.includes(id));
    if (unseen.length > 0) {
      const moment = momentOf(services);
      const told = unseen.slice(0, 1).map((each) => repetitionWarning(each, moment));
      const named = [...unseen.map(({ id }) => id), ...seen];
      return { again: { ...draft, warnings: [...told, ...warnings], repeats: named }, told };
    }
    return {
      confirm: (presser, press) =>
        services.payments.confirm(draft, presser, { ...press, countedFor: room.role }),
    };
  },
  whyTaken: async ({ paymentId }, { surface }) =>
    (await services.payments.get(paymentId)) && (() => surface.replace(takenIdCard)),
  tellConfirmed: async (draft, payment, context) => {
    const amount = formatMoney(draft.terms.amount);
    const card = plainCard(`Confirmed: ${amount}`);
    await showConfirmed(services, draft, { card, atMs: payment.confirmedAtMs }, context);
    // In a group the question becomes the card some seconds later.
    const asking = plainCard(`Asking for ${amount}`, 'The card shows the result.');
    if (payment.card !== undefined) return context.surface.answerPress(asking, 'followed');
    // Not awaited: events behind this one must not wait for a slow chat.
    void tellIfImpossible(services, payment, context.surface).catch((error) =>
      services.log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
  },
});

/** The requester looks at the question just pressed, so it says there that the card could not be posted. */
const tellIfImpossible = async (
  { clock, payments, settings }: Services,
  payment: Payment,
  surface: Surface,
): Promise<void> => {
  const patience = new AbortController();
  void clock.sleep(CARD_PATIENCE_MS, patience.signal).then(() => patience.abort());
  const seen = await payments.until(
    payment.id,
    ({ card, state }) => card !== undefined || state !== 'confirmed',
    patience.signal,
  );
  patience.abort();
  if (seen?.state === 'not sent' && seen.card === undefined)
    await surface.replace(notChargedCard(seen.reason, paymentButtons(seen, settings)));
};

/** Another payment has the same random transaction id; a new draft gets a new one. */
const takenIdCard = plainCard('Nothing was charged', 'Type the command again.', 'warning');
