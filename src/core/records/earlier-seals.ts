import { assertNever } from '../runtime/errors.ts';
import type { ChatGrant } from './access-grants.ts';
import { type BulkRun, type BulkTerms, isOfSms } from './bulk.ts';
import type { ChargeDraft, Draft, FileDraft, SmsDraft } from './draft.ts';
import type { ChargeTerms, Payment } from './payment.ts';
import type { SmsBatch } from './sms-batch.ts';

/*
 * What was sealed before 0.15, in its order; what a record did not have then is left out. So what is open in data of 0.14
 * stays valid during the update, also where 0.15 was never installed.
 */

type Fields = readonly unknown[];

export const confirmationFields = ({ id, terms, requester, confirmedAtMs }: Payment): Fields => [
  id,
  confirmedAtMs,
  [requester.platform, requester.id],
  ...chargeFields(terms),
  ...merchantField(terms),
];

export const draftFields = (draft: Draft): Fields => {
  const { id, status, requester, conversation } = draft;
  const { platform, workspace, channel, thread, replyTo } = conversation;
  return [
    [id, status, draft.createdAtMs, draft.expiresAtMs],
    [requester.platform, requester.id, requester.name],
    [platform, workspace, channel, thread, replyTo],
    draft.kind,
    ...shownFields(draft),
    ...merchantField(draft.terms),
  ];
};

export const smsFields = ({ id, terms, requester, confirmedAtMs, chunks }: SmsBatch): Fields => [
  id,
  confirmedAtMs,
  [requester.platform, requester.id],
  [terms.senderId, terms.text],
  chunks.map(({ uniqueId, recipients }) => [uniqueId, recipients]),
  ...merchantField(terms),
];

export const runFields = (run: BulkRun): Fields => {
  const { id, draftId, terms, requester, approver, approvedIn, confirmedAtMs } = run;
  return [
    [id, draftId, confirmedAtMs],
    [requester.platform, requester.id],
    [approver?.platform, approver?.id],
    ...(approvedIn === undefined ? [] : [[approvedIn.platform, approvedIn.channel]]),
    ...fileFields(terms),
    ...merchantField(terms),
  ];
};

export const grantFields = ({ id, to, role, where, by, givenIn, atMs }: ChatGrant): Fields => [
  [id, atMs, role],
  [to.platform, to.id],
  [where?.platform, where?.channel],
  [by.platform, by.id],
  ...(givenIn === undefined ? [] : [[givenIn.platform, givenIn.channel]]),
];

const shownFields = (draft: Draft): Fields => {
  switch (draft.kind) {
    case 'charge':
      return chargeDraftFields(draft);
    case 'bulk':
    case 'sms file':
      return fileDraftFields(draft);
    case 'sms':
      return smsDraftFields(draft);
    case 'given back':
      // There was none.
      return [];
    default:
      return assertNever(draft);
  }
};

const fileDraftFields = (draft: FileDraft): Fields => {
  const { revision = 0, terms, warnings, notes, zeroAsked, lines, repeated } = draft;
  const { askedAtMs, limit } = draft.kind === 'bulk' ? draft : {};
  return [
    [revision, askedAtMs, limit?.currency, limit?.amountMinor],
    [warnings, notes, zeroAsked?.count, ...(lines ? [lines, zeroAsked?.numbers] : [])],
    ...fileFields(terms),
    ...(repeated === undefined ? [] : [[repeated.rows, repeated.warnings]]),
  ];
};

const fileFields = (terms: BulkTerms): Fields => {
  const { sha256, rows, pages } = terms;
  if (isOfSms(terms)) {
    const { template, text, senderId, parts } = terms;
    return [[sha256, rows], [template, text, senderId, parts], pages];
  }
  const { again, total } = terms;
  return [[sha256, again, rows, total.currency, total.amountMinor], pages];
};

const smsDraftFields = ({ terms, repeats, revision = 0 }: SmsDraft): Fields => {
  const { senderId, text, recipients } = terms;
  return [senderId, text, recipients, ...(repeats === undefined ? [] : [[revision, repeats]])];
};

const chargeDraftFields = (draft: ChargeDraft): Fields => {
  const { revision = 0, askedAtMs, limit, paymentId, warnings, repeats = [] } = draft;
  const { terms, retryOf, maskedFrom } = draft;
  return [
    [revision, askedAtMs, limit?.currency, limit?.amountMinor],
    [paymentId, warnings, repeats],
    ...chargeFields(terms),
    ...(retryOf === undefined && maskedFrom === undefined ? [] : [[retryOf, maskedFrom]]),
  ];
};

const merchantField = ({ merchant }: { readonly merchant?: string }): readonly string[] =>
  merchant === undefined ? [] : [merchant];

const chargeFields = (terms: ChargeTerms): Fields => {
  const { amount, customerNumber, customerName, network, option, reference } = terms;
  return [
    [amount.currency, amount.amountMinor],
    [customerNumber, customerName, network, option, reference],
  ];
};
