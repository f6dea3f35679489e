import type { OutgoingMessage } from '../../../src/bots/bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { mirrorCard, outcomeCard, paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { Chats } from '../../../src/core/notices/chats.ts';
import { NoticeSender } from '../../../src/core/notices/notice-sender.ts';
import { NotifyRules } from '../../../src/core/notices/notify-rules.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import type { Finding, PaymentEvent } from '../../../src/core/payments/payment-event.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import {
  type MirrorRule,
  NO_RULES,
  type ToldRules,
} from '../../../src/core/records/notify-rules.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { testSeal } from '../../support/test-seal.ts';

export const ID = '01JD2M4X9QK7T3VB';
export const FINANCE = { platform: 'telegram', channel: '-1009' };
/** The message of the payment's card. */
export const card: MessageRef = { conversation: shop, message: '1.1' };
export const answer = { code: '000' };
const found = (finding: Finding): PaymentEvent => ({ kind: 'checked', finding });
export const COMPLETED = found({ kind: 'completed', answer });
export const FAILED = found({ kind: 'failed', answer, reason: 'Not enough money.' });
const LOST: PaymentEvent = { kind: 'lost', reason: 'cut', answer };

const merchants = ['osu', 'tema'].map((name) => ({
  ...{ name, nickname: name, senderIds: [] },
  conversations: [`slack:C0${name.toUpperCase()}`],
}));

/** One payment, the rules about who is told of it, and everything that its chats were told. */
export class ToldPayment {
  rules: ToldRules = NO_RULES;
  readonly posts: OutgoingMessage[] = [];
  readonly edits: { ref: MessageRef; card: Card }[] = [];
  /** What the chat answers to the next post or edit. */
  says: (what: 'post' | 'edit') => Promise<Delivery['kind']> = async () => 'delivered';
  readonly clock = new ManualClock();
  readonly store: Store;
  readonly notify: NotifyRules;
  readonly payments: Payments;
  readonly chats: Chats<Card>;
  readonly outbox: Outbox;

  private constructor(store: Store) {
    const { clock } = this;
    const alerts = noOperators({ store, clock });
    this.store = store;
    this.notify = new NotifyRules({ store, clock, inFile: () => this.rules, merchants });
    this.payments = new Payments({
      ...{ seal: testSeal, store, clock, alerts, notify: this.notify },
      policy: { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 },
    });
    const chat = {
      post: async (message: OutgoingMessage) => {
        const { conversation } = message;
        this.posts.push(message);
        return this.#deliver('post', { conversation, message: `9.${this.posts.length}` });
      },
      edit: async (ref: MessageRef, shown: Card) => {
        this.edits.push({ ref, card: shown });
        return this.#deliver('edit', ref);
      },
    };
    const byPlatform = new Map(['slack', 'telegram'].map((platform) => [platform, chat]));
    this.chats = new Chats({ store, log: silentLog, byPlatform });
    const sender = new NoticeSender<Card>({
      ...{ store, chats: this.chats },
      isStillAsked: async () => true,
      render: async (content) => {
        if (content.kind === 'mirror') return mirrorCard(content.payment, 'UTC', 'https://x/1');
        if (content.kind === 'card') return paymentCard(content.payment, 'UTC');
        if (content.kind === 'outcome') return outcomeCard(content.payment, 'UTC');
        throw new Error(content.kind);
      },
    });
    this.outbox = new Outbox({ store, clock, log: silentLog, alerts, sender });
  }

  static async open(): Promise<ToldPayment> {
    return new ToldPayment(await openStore());
  }

  /** It was sent, and is not answered yet. */
  async begun(changes: Partial<Payment> = {}): Promise<void> {
    const sent = { state: 'submitting', submittedAtMs: 1, card } as const;
    const { due: _, ...record } = aPayment({ ...sent, ...changes });
    await this.store.commit({ put: [{ kind: 'payment', record }] });
  }

  happens(event: PaymentEvent) {
    return this.payments.record(ID, event);
  }

  /** Taken by the service. */
  async pending(changes?: Partial<Payment>): Promise<void> {
    await this.begun(changes);
    await this.happens({ kind: 'accepted', answer });
  }

  /** Taken by the service, and all who are to know were told so. */
  async shownPending(): Promise<void> {
    await this.pending();
    await this.serveDue();
  }

  /** Sent without an answer, long enough ago to be told as unknown. */
  async unanswered(): Promise<void> {
    await this.begun();
    await this.happens(LOST);
    this.clock.jump(30_000);
  }

  /** Serves what is due until nothing is. */
  async serveDue(): Promise<void> {
    const { store, clock, outbox } = this;
    for (;;) {
      const due = await store.claim('notice', { nowMs: clock.now(), leaseMs: 45_000, limit: 10 });
      if (due.length === 0) return;
      for (const { kind, record } of due) if (kind === 'notice') await outbox.serve(record);
    }
  }

  /** It comes to this end, and what is then due is served. */
  async settles(end: PaymentEvent): Promise<void> {
    await this.happens(end);
    await this.serveDue();
  }

  /** Titles of what was posted, with where. */
  told() {
    return this.posts.map(({ conversation, card: { title } }) => [conversation.channel, title]);
  }

  /** The outcomes that its own conversation was told. */
  outcomes() {
    const own = this.told().filter(([channel]) => channel === shop.channel);
    return own.map(([, title]) => title?.replace('GHS 50.00 from Kofi M.: ', ''));
  }

  noEdits(): void {
    this.says = async (what) => (what === 'edit' ? 'gone' : 'delivered');
  }

  level(word: 'all' | 'problems' | 'none'): void {
    this.rules = { ...this.rules, notify: [{ place: shop, level: word }] };
  }

  mirrored(mirror: MirrorRule): void {
    this.rules = {
      notify: [{ place: FINANCE, mirror }],
      branches: [{ name: 'Osu', conversations: ['slack:C0SALES'], members: [] }],
    };
  }

  async #deliver(what: 'post' | 'edit', ref: MessageRef): Promise<Delivery> {
    const kind = await this.says(what);
    if (kind === 'delivered') return { kind, ref };
    return { kind: kind as 'gone' | 'unclear', reason: 'the chat says no' };
  }
}
