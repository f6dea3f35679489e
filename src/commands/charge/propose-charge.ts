import type { ChargeDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
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
 * Shows the question before a charge, with what the payment service and earlier charges say about it. `made before`:
 * the event was delivered twice, and its question is shown already.
 */
export const propose = async (
  services: Services,
  request: ChargeRequest,
  { caller, surface, grants, eventId }: Context,
  { maskedFrom, key = eventId, ...first }: Origin = {},
): Promise<'asked' | 'refused' | 'made before'> => {
  const { gateway, drafts, clock, random } = services;
  const { number, amount, network, option } = request;
  const { retryOf, news }: Origin = first.triedNumber === number.e164 ? first : {};
  const charging = chargingAt(services.settings, caller);
  if (!charging.ok) {
    await surface.say(charging.why);
    return 'refused';
  }
  const merchant = charging.merchant?.name;
  const room = await roomToday(services, grants, caller, amount);
  if (!room.fits) {
    await surface.say(room.why);
    return 'refused';
  }
  const [requester, { conversation }] = [personOf(caller), caller];
  const approvers = await approversAbove(services, { requester, conversation }, amount, grants);
  if (approvers?.ok === false) {
    await surface.say(approvers.why);
    return 'refused';
  }
  const asked = { customerNumber: number.e164, amount };
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
        ...defined({ customerName: customer.name, merchant }),
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
  if (draft === undefined) return 'made before';
  await surface.say(await questionCard(services, draft, grants, approvers));
  return 'asked';
};
