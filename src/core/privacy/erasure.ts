import { unmatchedRowOf, withoutBodies } from '../callbacks/unmatched-callbacks.ts';
import { customerGuardId } from '../guards/limit-guards.ts';
import { type AuditRow, type FormAnswers, type Put, putOf } from '../records/records.ts';
import { shelvedIn, textsSentTo } from '../records/stored-values.ts';
import { FORGOTTEN_NAME } from '../values/pseudonym.ts';
import type { CustomerRecords } from './customer-records.ts';
import { namePattern, numberPattern } from './written-forms.ts';

/**
 * Takes a customer out of what is stored. What says nothing about the customer comes back as the same object.
 * It is the same each time, and changes nothing the second time.
 */
export type Erasure = {
  readonly put: (put: Put) => Put;
  readonly row: (row: AuditRow) => AuditRow;
};

/** Whose values are the program's own words and ids. A customer may be named like one of them. */
const OWN_WORDS = new Set(
  [
    'id kind state status what before after of flag overdue queue currency network option button command',
    'session countedFor done paymentId draftId batchId resultId uniqueId messageId senderId draft told repeats',
    'contentType work operation',
  ].flatMap((words) => words.split(' ')),
);

/**
 * Texts of the payment service, as they came or quoted in a sentence, and what people wrote: why an approver refused,
 * why money was given back, notes. They may name the customer in words that nothing here knows, because the lookup gave no name or another one. So they go whole.
 */
const FOREIGN_TEXTS = new Set(
  'body message hintMessage reason warnings checkoutUrl refusal note'.split(' '),
);
/** A code of the service that cannot be a person's name. */
const PLAIN_CODE = /^[\d./-]{1,12}$/;

/** A text without the customer; undefined: the text goes. */
type Eraser = (text: string, key: string) => string | undefined;

/** The payment, draft or SMS that a record belongs to: a notice goes by its id, a dot and a word. */
const storyIdOf = (id: string): string => id.split('.', 1)[0] ?? id;

/** In what is the customer's own, number and names are erased; elsewhere a name may be another person's. */
export const erasureOf = ({ customer, ids, names }: CustomerRecords): Erasure => {
  const { number, pseudonym } = customer;
  const inText = numberPattern(number, { bare: true });
  const inSetting = numberPattern(number, { bare: false });
  const name = namePattern(names);
  const renamed = new Map([
    [customerGuardId(number), customerGuardId(pseudonym)],
    [textsSentTo(number).id, textsSentTo(pseudonym).id],
  ]);

  const isMentioned = (text: string): boolean => text.search(inText) >= 0;
  const withoutNumber = (text: string): string => text.replace(inText, pseudonym);
  const fromOthers: Eraser = (text, key) =>
    FOREIGN_TEXTS.has(key) && isMentioned(text) ? undefined : withoutNumber(text);
  const fromTheirs: Eraser = (text, key) => {
    if (FOREIGN_TEXTS.has(key)) return undefined;
    if (key === 'code') return PLAIN_CODE.test(text) ? text : undefined;
    // What was written to a customer alone names them as it likes.
    if (key === 'customerName' || key === 'text') return FORGOTTEN_NAME;
    return withoutNumber(name === undefined ? text : text.replace(name, FORGOTTEN_NAME));
  };
  const isTheirs = (id: string): boolean => ids.has(storyIdOf(id));
  const eraserFor = (id: string) => (isTheirs(id) ? fromTheirs : fromOthers);
  /** A callback of no stored payment: whose it is only its body can tell. */
  const isTheirCallback = ({ paymentId, body }: { paymentId: string; body: string }): boolean =>
    isTheirs(paymentId) || isMentioned(body) || (name !== undefined && body.search(name) >= 0);

  /** A seal is made of the number as well. Nothing that ended needs it. */
  const unsealed = ({ kind, record }: Put): Put['record'] => {
    const isAboutThem =
      isTheirs(record.id) ||
      (kind === 'sms' && record.terms.recipients.some((recipient) => recipient === number));
    if (!('seal' in record) || !isAboutThem) return record;
    const { seal: _, ...rest } = record;
    return rest;
  };

  const put = (one: Put): Put => {
    if (one.kind !== 'setting') {
      const named = one.kind === 'form' ? withoutSuggested(one.record, number) : unsealed(one);
      const record = mapTexts(named, eraserFor(one.record.id));
      return record === one.record ? one : putOf(one.kind, record);
    }
    if (shelvedIn(one.record) !== undefined) {
      const record = withoutBodies(one.record, isTheirCallback);
      return record === one.record ? one : { kind: 'setting', record };
    }
    const { id, value } = one.record;
    // A setting may hold ids of people that are nothing but digits.
    const erased = { id: renamed.get(id) ?? id, value: value.replace(inSetting, pseudonym) };
    const isSame = erased.id === id && erased.value === value;
    return isSame ? one : { kind: 'setting', record: { ...one.record, ...erased } };
  };
  const row = (one: AuditRow): AuditRow => {
    const unmatched = unmatchedRowOf(one);
    if (unmatched !== undefined)
      return mapTexts(one, isTheirCallback(unmatched) ? fromTheirs : fromOthers);
    const erased = mapTexts(one, eraserFor(one.id));
    // A question to one customer, whose record is gone: it does not speak of another.
    return erased !== one && one.kind === 'draft' ? mapTexts(one, fromTheirs) : erased;
  };
  return { put, row };
};

/** A suggested customer is called by name beside the number. The place in the list stays: a button says it. */
const withoutSuggested = (form: FormAnswers, number: string): FormAnswers => {
  const lists = Object.entries(form.suggestions ?? {});
  const isTheirs = ({ value }: { value: string }) => value === number;
  if (!lists.some(([, { choices }]) => choices.some(isTheirs))) return form;
  const nameless = lists.map(([name, list]) => {
    const choices = list.choices.map((choice) =>
      isTheirs(choice) ? { ...choice, label: FORGOTTEN_NAME } : choice,
    );
    return [name, { ...list, choices }] as const;
  });
  return { ...form, suggestions: Object.fromEntries(nameless) };
};

/** Changes the texts of a value, but not whose place or name is written there. A text that goes takes its key along. */
const mapTexts = <T>(value: T, change: Eraser): T => {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return OWN_WORDS.has(key) ? part : change(part, key);
    if (typeof part === 'number') return numberMapped(part, key, change);
    if (typeof part !== 'object' || part === null || isPlace(part)) return part;
    if (Array.isArray(part)) {
      const all = part.map((each) => walk(each, key));
      return all.some((each, at) => each !== part[at]) ? all.filter(isKept) : part;
    }
    const entries = Object.entries(part);
    const walked = entries.map(([name, each]) => [name, walk(each, name)] as const);
    return walked.some(([, each], at) => each !== entries[at]?.[1])
      ? Object.fromEntries(walked.filter(([, each]) => isKept(each)))
      : part;
  };
  // Text stays text, and what goes is optional in every record, so it has the same shape.
  return walk(value, '') as T;
};

const isKept = (value: unknown): boolean => value !== undefined;

/** Only a number as long as one with its country code: a shorter one is an amount or a time. */
const numberMapped = (value: number, key: string, change: Eraser): number | string | undefined => {
  const text = String(value);
  if (!/^\d{11,13}$/.test(text) || key.endsWith('Ms')) return value;
  const changed = change(text, key);
  return changed === text ? value : changed;
};

/** A person, a conversation, or a message in one: ids of the platform, and the names of the shop's people. */
const isPlace = (part: object): boolean =>
  'platform' in part || ('conversation' in part && 'message' in part);
