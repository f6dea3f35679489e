import { describe, expect, it } from 'vitest';
import { ChatGrants } from '../../../src/core/guards/chat-grants.ts';
import { type ChatGrant, chatGrants } from '../../../src/core/records/access-grants.ts';
import type { BulkRun } from '../../../src/core/records/bulk.ts';
import type { ChargeDraft, SmsDraft } from '../../../src/core/records/draft.ts';
import {
  bulkSeal,
  chatGrantSeal,
  confirmationSeal,
  draftSeal,
  type Seal,
  smsSeal,
} from '../../../src/core/records/seals.ts';
import type { SmsBatch } from '../../../src/core/records/sms-batch.ts';
import { aCharge, ama, anSms, aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const SECRET = 'a secret of the tests';
const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };
const terms = { senderId: 'Shop', text: 'We open at 8.', recipients: ['+233244100000'] };

const question: ChargeDraft = aCharge({
  warnings: ['Asked today.'],
  repeats: ['01JD2M4X9QK7T3VA'],
  retryOf: '01JD2M4X9QK7T3VA',
  askedAtMs: 2_000,
  limit: { amountMinor: 50_000, currency: 'GHS' },
  revision: 1,
});
const text: SmsDraft = { ...anSms(terms), repeats: 1 };
const batch: SmsBatch = {
  id: 'sms1',
  version: 1,
  terms,
  requester: ama,
  conversation: shop,
  confirmedAtMs: 1_000,
  chunks: [{ uniqueId: 'c1', recipients: terms.recipients, state: 'waiting', rateLimits: 0 }],
};
const run: BulkRun = {
  id: 'run1',
  version: 1,
  draftId: 'd1',
  terms: {
    sha256: 'ab',
    fileName: 'sales.csv',
    rows: 2,
    pages: ['cd'],
    lastsMs: 1_000,
    total: { amountMinor: 10_000, currency: 'GHS' },
  },
  requester: ama,
  approver: kojo,
  approvedIn: shop,
  conversation: shop,
  confirmedAtMs: 1_000,
  status: 'running',
  next: 0,
  askedMinor: 0,
  leftOut: 0,
  unanswered: [],
  refusals: 0,
  tally: {},
  countedAtMs: 1_000,
};
const grant: ChatGrant = {
  id: 'g1',
  to: kojo,
  role: 'sales',
  where: { platform: 'slack', channel: 'C0SALES' },
  by: ama,
  givenIn: { platform: 'slack', channel: 'C0SALES' },
  atMs: 1_000,
  why: '/charge',
};

type Sealed = { readonly seal?: string };

/** The members of all its objects in the opposite order, as a store may give them back. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, turned(member)]));
};

/** Each record that differs in one value, by the way to that value. */
const changes = (value: unknown): [way: string, changed: unknown][] => {
  if (typeof value !== 'object' || value === null)
    return [['', typeof value === 'number' ? value + 1 : `${String(value)}x`]];
  return Object.entries(value).flatMap(([name, member]) =>
    changes(member).map(([way, changed]): [string, unknown] => [
      way === '' ? name : `${name}.${way}`,
      Array.isArray(value)
        ? value.with(Number(name), changed)
        : Object.assign({}, value, { [name]: changed }),
    ]),
  );
};

const sealing = <T extends Sealed>(seal: Seal<T>, record: T) => {
  const sealed = seal.sealed(record);
  const isOn = (value: unknown): boolean => seal.isOn(value as T);
  // Of another kind there is no such record at all.
  const others = changes(sealed).filter(([way]) => way !== 'kind');
  return {
    isOn,
    record,
    sealed,
    /** The ways to what may change. */
    open: others.filter(([, changed]) => isOn(changed)).map(([way]) => way),
  };
};

const payment = sealing(confirmationSeal(SECRET), aPayment());
const charge = sealing(draftSeal(SECRET), question);
const sms = sealing(draftSeal(SECRET), text);
const confirmedSms = sealing(smsSeal(SECRET), batch);
const file = sealing(bulkSeal(SECRET), run);
const role = sealing(chatGrantSeal(SECRET), grant);

describe('a seal', () => {
  it.each([
    ['payment', payment],
    ['question', charge],
    ['SMS', confirmedSms],
    ['file', file],
    ['role', role],
  ])(
    'of a %s is on it in whatever order a store gives its members back',
    (_, { isOn, record, sealed }) => {
      expect(isOn(turned(sealed))).toBe(true);
      expect(isOn(record)).toBe(false);
      expect(isOn({ ...record, seal: '' })).toBe(false);
    },
  );

  it('of a question is on all that was shown', () => {
    expect([charge.open, sms.open]).toEqual([['version'], ['version']]);
  });

  it('of what was confirmed is on that, whatever becomes of it', () => {
    const sealedIn = ({ open, sealed }: typeof payment | typeof confirmedSms | typeof file) =>
      changes(sealed)
        .map(([way]) => way)
        .filter((way) => !open.includes(way));
    const ids = ['requester.platform', 'requester.id'];
    const { terms: amount } = aPayment();
    const leaves = (name: string, of: object) => changes(of).map(([way]) => `${name}.${way}`);
    expect(sealedIn(payment)).toEqual([
      'id',
      ...leaves('terms', amount),
      ...ids,
      'confirmedAtMs',
      'seal',
    ]);
    expect(sealedIn(confirmedSms)).toEqual([
      'id',
      ...leaves('terms', terms),
      ...ids,
      'confirmedAtMs',
      'chunks.0.uniqueId',
      'chunks.0.recipients.0',
      'seal',
    ]);
    expect(sealedIn(file)).toEqual([
      'id',
      'draftId',
      ...leaves('terms', run.terms),
      ...ids,
      'approver.platform',
      'approver.id',
      ...leaves('approvedIn', shop),
      'confirmedAtMs',
      'seal',
    ]);
  });

  it('of a role is on all that it says', () => {
    expect(role.open).toEqual([]);
  });

  it('of a role that an earlier secret made is made again at the start, and a forged one is not', async () => {
    const store = await openStore();
    const given = chatGrantSeal(SECRET).sealed(grant);
    const forged = { ...given, role: 'owner', id: 'g2' };
    await store.commit({ put: [chatGrants.put([given, forged], undefined)] });
    const seal = chatGrantSeal(['a new secret', SECRET]);
    const grants = new ChatGrants({ store, clock: new ManualClock(), seal, operators: [] });
    expect((await grants.of(kojo)).map(({ role }) => role)).toEqual(['sales']);
    await grants.renewSeals();
    expect(await grants.all()).toEqual([chatGrantSeal('a new secret').sealed(grant), forged]);
  });
});
