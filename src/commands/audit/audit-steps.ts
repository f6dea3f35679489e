import type { AuditRow } from '../../core/records/records.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { amountIn } from '../../core/store/payment-replay.ts';
import type { Person } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';

/** One thing that happened, in words. */
export type Step = {
  readonly atMs: number;
  readonly text: string;
  /** How several in a row are told. @default the text and how often */
  readonly many?: (times: number) => string;
};

type Words = Omit<Step, 'atMs'>;

/** The steps that an audit row tells about a payment; none for what no person could see. */
export const stepsOf = (row: AuditRow, before: AuditRow | undefined): Step[] =>
  wordsOf(row, before).map((words) => ({ ...words, atMs: row.atMs, text: masked(words.text) }));

const wordsOf = (row: AuditRow, before: AuditRow | undefined): Words[] => {
  switch (row.kind) {
    case 'draft':
      return [draftWords(row), ...warned(row)];
    case 'payment':
      return [...paymentWords(row), ...flagWords(row, before)];
    case 'notice':
      return noticeWords(row);
    default:
      return [{ text: `${row.kind}: ${row.what}` }];
  }
};

const draftWords = (row: AuditRow): Words => {
  switch (row.what) {
    case 'created':
      return { text: `${who(row.who)} asked for ${amount(row)}${where(row)}` };
    case 'shown again':
      return { text: `${who(row.who)} pressed${button(row)}, and was asked again` };
    case 'awaiting approval':
      return {
        text: `${who(row.who)} confirmed${button(row)}; it is above the limit, so approval was asked for`,
      };
    case 'refused':
      return { text: `${who(row.who)} refused it${button(row)}${where(row)}` };
    case 'refusal explained':
      return { text: sentence(`${who(row.who)} said why it was refused`, textIn(row, 'reason')) };
    case 'out of time':
      return { text: 'no approver answered in time' };
    case 'cancelled':
      return row.before === 'awaiting approval' && row.button === 'refuse'
        ? { text: `${who(row.who)} refused it${button(row)}${where(row)}` }
        : { text: `${who(row.who)} cancelled it${button(row)}${where(row)}` };
    default:
      return { text: `${who(row.who)}: ${row.what}` };
  }
};

const warned = ({ detail }: AuditRow): Words[] => {
  const warnings = detail?.['warnings'];
  return Array.isArray(warnings) ? warnings.map((text) => ({ text: `warned: ${text}` })) : [];
};

const paymentWords = (row: AuditRow): Words[] => {
  const reason = textIn(row, 'reason');
  switch (row.what) {
    case 'confirmed':
      return [{ text: confirmed(row) }];
    case 'submitting':
      return [{ text: 'on its way to the payment service' }];
    case 'accepted':
      return [{ text: `the payment service answered ${said(row) ?? 'yes'}` }];
    case 'rate limited':
      return [
        {
          text: `the payment service was too busy and took nothing: ${said(row) ?? 'code 429'}`,
          many: (times) => `the payment service was too busy ${times} times, and took nothing`,
        },
      ];
    case 'not sent':
      return [{ text: sentence('not sent', reason, said(row)) }];
    case 'refused':
      return [{ text: sentence('the payment service refused it', reason, said(row)) }];
    case 'lost':
      return [
        {
          text: sentence('not clear whether the payment service received it', reason, said(row)),
        },
      ];
    case 'set aside':
      return [{ text: 'set aside: Paythread ended several times while it worked on this' }];
    case 'forgotten':
      return [{ text: `${who(row.who)} erased the number and the name of a customer` }];
    case 'restored':
      return [
        { text: sentence('restored from a backup; the payment service has to be asked', reason) },
      ];
    case 'callback':
      return [callback(row)];
    case 'checked':
      return [checked(row)];
    default:
      return [{ text: sentence(row.what, reason, said(row)) }];
  }
};

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

/** Of a flood of callbacks only the number was written down. */
const callback = ({ detail }: AuditRow): Words => {
  const count = Number(detail?.['count'] ?? 1);
  return count === 1
    ? { text: 'a callback came', many: (times) => `${times} callbacks came` }
    : { text: `${count} callbacks came` };
};

/** The answer of a check, and the person who asked for it, if one did. */
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
      return sentence('the answer is about something else', reason, words);
    case 'unproven':
      return sentence('an outcome that settles nothing', reason, words);
    default:
      return sentence(textOf(finding['kind']) ?? 'an answer', reason);
  }
};

const flagWords = ({ flag, version }: AuditRow, before: AuditRow | undefined): Words[] => {
  // Rows of version 0.2.0 do not tell.
  if (version === undefined || before?.flag === flag) return [];
  return [{ text: flag === undefined ? 'no flag any more' : `flagged: ${flag}` }];
};

/** A notice that came to `nothing`, or was overtaken, was never posted, so it has no step. */
const noticeWords = (row: AuditRow): Words[] => {
  const what = noticeName(row);
  const { what: became } = row;
  switch (became) {
    case 'delivered':
      return [
        { text: EDITED.has(what) ? `${what} brought up to date` : `${what} posted${where(row)}` },
      ];
    case 'nothing':
    case 'overtaken':
    case 'stale':
      return [];
    case 'not sent':
      return [{ text: `${what} could not be posted yet` }];
    case 'unclear':
      return [{ text: `${what} posted without an answer of the chat; it may be there` }];
    case 'moved':
      return [{ text: `${what} goes elsewhere, not${where(row)}` }];
    case 'revealed':
      return [{ text: `${who(row.who)} looked at the full number and name${where(row)}` }];
    default:
      return [{ text: `${what} ${became}` }];
  }
};

const NOTICE_NAMES: Readonly<Record<string, string>> = {
  alert: 'alert to the operators',
  'stale outcome': 'older message',
  approval: 'question to approvers',
  'approval news': 'end of the approval',
  'approval edit': 'message about the approval',
};
const EDITED = new Set(['card', 'older message', 'message about the approval']);

const noticeName = ({ before }: AuditRow): string =>
  NOTICE_NAMES[before ?? ''] ?? before ?? 'notice';

const who = (person: Person | undefined): string =>
  person === undefined ? 'Paythread' : `${cut(person.name, 40)} (${person.platform}:${person.id})`;

const where = ({ where: place }: AuditRow): string =>
  place === undefined ? '' : ` in ${place.platform}:${place.channel}`;

const button = ({ button: verb = '' }: AuditRow): string =>
  verb === '' ? '' : ` with the button ${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;

const amount = (row: AuditRow): string => {
  const money = amountIn(row);
  return money === undefined ? 'it' : formatMoney(money);
};

const personIn = (row: AuditRow): Person | undefined => {
  const { platform, id, name } = objectIn(row.detail?.['requester']);
  return typeof platform === 'string' && typeof id === 'string' && typeof name === 'string'
    ? { platform, id, name }
    : undefined;
};

const said = (row: AuditRow): string | undefined => answerWords(row.detail?.['answer']);

/** Code and message as the service gave them. */
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

const masked = (text: string): string => cut(maskPhones(text), LONGEST_STEP);

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
