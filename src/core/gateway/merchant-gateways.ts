import type { Gateway, NotSent, StatusOutcome } from './gateway.ts';

/**
 * One gateway over those of several merchants, by name: each request goes out with the keys of its merchant. Under
 * `undefined`: that of payments from before there were several.
 */
export const merchantGateways = (gateways: ReadonlyMap<string | undefined, Gateway>): Gateway => {
  const [first] = gateways.values();
  const of = (merchant: string | undefined): Gateway => gateways.get(merchant) ?? without(merchant);
  return {
    makePayment: (request) => of(request.merchant).makePayment(request),
    sendSms: (message) => of(message.merchant).sendSms(message),
    // Whose keys ask makes no difference to the answer.
    lookUpAccount: (query) =>
      (gateways.get(query.merchant) ?? first ?? without(query.merchant)).lookUpAccount(query),
    checkStatus: (id, urgency, merchant) =>
      merchant === undefined
        ? askedOfAll([...gateways.values()], (gateway) => gateway.checkStatus(id, urgency))
        : of(merchant).checkStatus(id, urgency),
    checkBalance: (urgency, merchant) => of(merchant).checkBalance(urgency),
  };
};

/** The first answer that knows the transaction, else one that leaves the question open, else that none knows it. */
const askedOfAll = async (
  gateways: readonly Gateway[],
  ask: (gateway: Gateway) => Promise<StatusOutcome>,
): Promise<StatusOutcome> => {
  let result: StatusOutcome = { kind: 'noStatus', answer: {} };
  for (const gateway of gateways) {
    const outcome = await ask(gateway);
    if (outcome.kind === 'status') return outcome;
    if (outcome.kind !== 'noStatus' || result.kind === 'noStatus') result = outcome;
  }
  return result;
};

/** For a merchant that was taken out of the file: nothing is sent, and every question stays open. */
const without = (merchant: string | undefined): Gateway => {
  const reason =
    merchant === undefined
      ? 'This belongs to no merchant. The owner has to look at MERCHANTS_FILE.'
      : `MERCHANTS_FILE has no merchant "${merchant}" any more. The owner has to put it back.`;
  const notSent = async (): Promise<NotSent> => ({ kind: 'notSent', reason });
  const noAnswer = async () => ({ kind: 'noAnswer', answer: {}, reason }) as const;
  return {
    makePayment: notSent,
    sendSms: notSent,
    lookUpAccount: noAnswer,
    checkStatus: noAnswer,
    checkBalance: noAnswer,
  };
};
