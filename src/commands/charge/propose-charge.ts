import type { ChargeDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import type { Card } from '../cards/card.ts';
import { type Context, momentOf, type Services } from '../command.ts';
import { chargingAt } from '../merchants.ts';
import { roomToday } from './charge-limits.ts';
import {
  approversAbove,
  earlierTo,
  lookUpCustomer,
  questionCard,
  repetitionWarning,
  undecidedWarning,
} from './charge-question.ts';
import type { ChargeRequest } from './parse-charge-options.ts';

/** What a charge goes back to, if it is not typed for the first time. */
export type Origin = Pick<ChargeDraft, 'retryOf' | 'maskedFrom'> & {
  /** Whom the first try asked: a charge to another customer is no other try of it. */
  readonly triedNumber?: string;
  /** What the question says first, such as why the first try failed. */
  readonly news?: string;
  /** Of two events with the same key one makes a draft. @default the event's id */
  readonly key?: string;
};

/**
 * The question before a charge, with what the payment service and earlier charges say about it; or why there is none.
 * Undefined: the event was delivered twice, and its question is shown already.
 */
export const propose = async (
  services: Services,
  request: ChargeRequest,
  { caller, grants, eventId }: Context,
  { maskedFrom, key = eventId, ...first }: Origin = {},
): Promise<Card | undefined> => {
  const { gateway, drafts, clock, random } = services;
  const { number, amount, network, option } = request;
  const { retryOf, news }: Origin = first.triedNumber === number.e164 ? first : {};
  const charging = chargingAt(services.settings, caller);
  if (!charging.ok) return charging.why;
  const merchant = charging.merchant?.name;
  const room = await roomToday(services, grants, caller, amount);
  if (!room.fits) return room.why;
  const [requester, { conversation }] = [personOf(caller), caller];
  const approvers = await approversAbove(services, { requester, conversation }, amount, grants);
  if (approvers?.ok === false) return approvers.why;
  const asked = { customerNumber: number.e164, amount, ...defined({ merchant }) };
  const [customer, { repeats, undecided }] = await Promise.all([
    lookUpCustomer(gateway, request, merchant),
    earlierTo(services, asked),
  ]);
  const moment = momentOf(services);
  const paymentId = newTransactionId(clock.now(), random);
  const draft = await drafts.create(
    key,
    {
      kind: 'charge',
      paymentId,
      terms: {
        ...asked,
        ...defined({ customerName: customer.name }),
        network,
        option,
        reference: request.reference ?? paymentId,
      },
      warnings: [
        ...(news === undefined ? [] : [news]),
        ...customer.warnings,
        ...repeats.slice(0, 1).map((each) => repetitionWarning(each, moment)),
        ...(undecided === undefined ? [] : [undecidedWarning(undecided, moment)]),
      ],
      repeats: repeats.map(({ id }) => id),
      ...defined({ retryOf, maskedFrom }),
    },
    requester,
    conversation,
  );
  return draft && questionCard(services, draft, grants, approvers);
};
