import type { Payment } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { amountIn } from '../../core/store/payment-replay.ts';
import type { Person } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import { sentenceCase } from '../cards/card.ts';
import { withoutCustomer } from '../cards/payment-words.ts';

export type AuditStep = {
  readonly atMs: number;
  readonly text: string;
  /** How several in a row are told. @default the text and how often */
  readonly many?: (times: number) => string;
};

type Words = Omit<AuditStep, 'atMs'>;

/** The steps that an audit row tells about a payment, as others may read them; none for what no person could see. */
export const stepsOf = (
  row: AuditRow,
  before: AuditRow | undefined,
  payment: Payment | undefined,
): AuditStep[] =>
  wordsOf(row, before).map(({ text, ...words }) => {
    const shown = payment === undefined ? maskPhones(text) : withoutCustomer(text, payment);
    return { ...words, atMs: row.atMs, text: cut(shown, LONGEST_STEP) };
  });

const wordsOf = (row: AuditRow, before: AuditRow | undefined): Words[] => {
  switch (row.kind) {
    case 'draft':
      return [draftWords(row), ...warned(row)];
    case 'payment':
      return [paymentWords(row), ...flagWords(row, before)];
    case 'notice':
      return noticeWords(row);
    default:
      return [{ text: `${row.kind}: ${row.what}` }];
  }
};

/** What happened to a question before it was confirmed, by the row's `what`. */
const DRAFT_STEPS: Readonly<Record<string, (row: AuditRow) => string>> = {
  created: (row) =>
    row.detail?.['of'] === 'given back'
      ? `${who(row.who)} asked to write down ${amount(row)} as given back${where(row)}`
      : `${who(row.who)} asked for ${amount(row)}${where(row)}`,
  'shown again': (row) => `${who(row.who)} pressed${button(row)}, and was asked again`,
  'awaiting approval': (row) =>
    `${who(row.who)} confirmed${button(row)}; it is above the limit, so approval was asked for`,
  refused: (row) => `${who(row.who)} refused it${button(row)}${where(row)}`,
  'refusal explained': (row) =>
    sentence(`${who(row.who)} said why it was refused`, textIn(row, 'reason')),
  'not possible': (row) => sentence('it could not be written down', textIn(row, 'reason')),
  'out of time': () => 'no approver answered in time',
  changed: (row) => `${who(row.who)} changed it: the form was opened again${button(row)}`,
  cancelled: (row) => {
    const isRefusal = row.before === 'awaiting approval' && row.button === 'refuse';
    return `${who(row.who)} ${isRefusal ? 'refused' : 'cancelled'} it${button(row)}${where(row)}`;
  },
};

const draftWords = (row: AuditRow): Words => ({
  text: own(DRAFT_STEPS, row.what)?.(row) ?? `${who(row.who)}: ${row.what}`,
});

const warned = ({ detail }: AuditRow): Words[] => {
  const warnings = detail?.['warnings'];
  return Array.isArray(warnings) ? warnings.map((text) => ({ text: `warned: ${text}` })) : [];
};

/** What happened to a payment, by the row's `what`. */
const PAYMENT_STEPS: Readonly<Record<string, (row: AuditRow) => Words | string>> = {
  confirmed: (row) => confirmed(row),
  submitting: () => 'on its way to the payment service',
  accepted: (row) => `the payment service answered ${said(row) ?? 'yes'}`,
  'rate limited': (row) => ({
    text: `the payment service was too busy and took nothing: ${said(row) ?? 'code 429'}`,
    many: (times) => `the payment service was too busy ${times} times, and took nothing`,
  }),
  refused: (row) => withReason('the payment service refused it', row),
  lost: (row) => withReason('not clear whether the payment service received it', row),
  'asked again': (row) =>
    `${who(row.who)} asked again: transaction ${textIn(row, 'as')}${where(row)}`,
  'set aside': () => 'set aside: Paythread ended several times while it worked on this',
  forgotten: (row) => `${who(row.who)} erased the number and the name of a customer`,
  restored: (row) =>
    sentence('restored from a backup; the payment service has to be asked', textIn(row, 'reason')),
  'given back': (row) =>
    sentence(
      `${givenBy(row)} gave back ${amount(row)} by hand${where(row)}`,
      textIn(row, 'reason'),
    ),
  noted: (row) => sentence(`${who(row.who)} wrote a note${where(row)}`, textIn(row, 'note')),
  callback: (row) => callback(row),
  checked: (row) => checked(row),
};

const paymentWords = (row: AuditRow): Words => {
  const words = own(PAYMENT_STEPS, row.what)?.(row) ?? withReason(row.what, row);
  return typeof words === 'string' ? { text: words } : words;
};

const withReason = (what: string, row: AuditRow): string =>
  sentence(what, textIn(row, 'reason'), said(row));

const confirmed = (row: AuditRow): string => {
  const requester = personIn(row);
  const approved = requester !== undefined && requester.id !== row.who?.id;
  const repeats = row.detail?.['repeats'];
  const knowing =
    Array.isArray(repeats) && repeats.length > 0
      ? `, knowing of ${repeats.slice(0, 3).join(', ')}${repeats.length > 3 ? ` and ${repeats.length - 3} more` : ''}`
      : '';
  const did = approved
    ? `approved ${amount(row)} that ${who(requester)} asked for`
    : `confirmed ${amount(row)}`;
  return `${who(row.who)} ${did}${button(row)}${where(row)}${knowing}`;
};

const CALLED_BACK = 'the payment service called back';

/** Of a flood of callbacks only the number was written down. */
const callback = ({ detail }: AuditRow): Words => {
  const count = Number(detail?.['count'] ?? 1);
  return count === 1
    ? { text: CALLED_BACK, many: (times) => `${CALLED_BACK} ${times} times` }
    : { text: `${CALLED_BACK} ${count} times` };
};

const checked = (row: AuditRow): Words => {
  const asked = row.who === undefined ? 'asked' : `${who(row.who)} asked${where(row)}`;
  const found = foundIn(row);
  return { text: `${asked}: ${found}`, many: (times) => `${asked} ${times} times: ${found}` };
};

const foundIn = (row: AuditRow): string => {
  const finding = objectIn(row.detail?.['finding']);
  const reason = textOf(finding['reason']);
  const words = answerWords(finding['answer']);
  switch (finding['kind']) {
    case 'nothing':
      return sentence('no usable answer', words);
    case 'mismatch':
      return sentence('the answer was about another payment', reason, words);
    case 'unproven':
      return sentence('the answer was no proof', reason, words);
    default:
      return sentence(textOf(finding['kind']) ?? 'an answer', reason);
  }
};

const flagWords = ({ flag }: AuditRow, before: AuditRow | undefined): Words[] =>
  before?.flag === flag
    ? []
    : [{ text: flag === undefined ? 'nothing to look into any more' : `flagged: ${flag}` }];

/** What became of a notice, by the row's `what`; undefined: it was never posted, so it has no step. */
const NOTICE_STEPS: Readonly<Record<string, (what: string, row: AuditRow) => string | undefined>> =
  {
    delivered: (what, row) =>
      EDITED.has(what) ? `${what} brought up to date` : `${what} posted${where(row)}`,
    nothing: () => undefined,
    overtaken: () => undefined,
    stale: () => undefined,
    'not sent': (what) => `${what} could not be posted yet`,
    unclear: (what) => `${what} posted without an answer of the chat; it may be there`,
    moved: (what, row) => `${what} posted elsewhere instead of${where(row)}`,
    revealed: (_what, row) => `${who(row.who)} looked at the full number and name${where(row)}`,
  };

const noticeWords = (row: AuditRow): Words[] => {
  const what = own(NOTICE_NAMES, row.before ?? '') ?? row.before ?? 'notice';
  const known = own(NOTICE_STEPS, row.what);
  const text = known === undefined ? `${what} ${row.what}` : known(what, row);
  return text === undefined ? [] : [{ text }];
};

const NOTICE_NAMES: Readonly<Record<string, string>> = {
  alert: 'alert to the operators',
  'stale outcome': 'older message',
  approval: 'question to approvers',
  'approval news': 'end of the approval',
  'approval edit': 'message about the approval',
  mirror: 'message elsewhere',
  'access request': 'question to the operators',
  'access news': 'answer about access',
  'access request edit': 'message about access',
};
const EDITED = new Set([
  'card',
  'older message',
  'message about the approval',
  'message about access',
]);

/** An entry of a table; a row may say `constructor` as well. */
const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const who = (person: Person | undefined): string =>
  person === undefined ? 'Paythread' : `${cut(person.name, 40)} (${person.platform}:${person.id})`;

const where = ({ where: place }: AuditRow): string =>
  place === undefined ? '' : ` in ${place.platform}:${place.channel}`;

const button = ({ button: verb = '' }: AuditRow): string =>
  verb === '' ? '' : ` with the button ${sentenceCase(verb)}`;

const amount = (row: AuditRow): string => {
  const money = amountIn(row);
  return money === undefined ? 'it' : formatMoney(money);
};

const givenBy = (row: AuditRow): string => {
  const by = personIn(row, 'by');
  const isApproved = by !== undefined && by.id !== row.who?.id;
  return isApproved ? `${who(row.who)} approved that ${who(by)}` : who(row.who);
};

const personIn = (row: AuditRow, as = 'requester'): Person | undefined => {
  const { platform, id, name } = objectIn(row.detail?.[as]);
  return typeof platform === 'string' && typeof id === 'string' && typeof name === 'string'
    ? { platform, id, name }
    : undefined;
};

const said = (row: AuditRow): string | undefined => answerWords(row.detail?.['answer']);

const answerWords = (answer: unknown): string | undefined => {
  const { code, message } = objectIn(answer);
  const words = [textOf(code), textOf(message)].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(' ');
};

const sentence = (what: string, ...more: readonly (string | undefined)[]): string =>
  [what, ...more.filter((text) => text !== undefined)].join(': ');

const textIn = ({ detail }: AuditRow, name: string): string | undefined => textOf(detail?.[name]);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Of one step: room for who, where and why. */
const LONGEST_STEP = 220;

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
