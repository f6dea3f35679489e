import { balancesDueNow } from '../balances/balances.ts';
import {
  type BulkRun,
  type BulkSms,
  type BulkTally,
  isOfSms,
  isSms,
  type RowState,
  type SmsFileTerms,
} from '../records/bulk.ts';
import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { ANY_REMINDER, noteText, wasTextSent } from '../sms/sent-texts.ts';
import { readSmsDay } from '../sms/sms-day.ts';
import { partsOf } from '../sms/sms-parts.ts';
import { LARGE_RUN, type SmsSender } from '../sms/sms-sender.ts';
import type { Store } from '../store/store.ts';
import { readNextRow } from './bulk-pages.ts';
import type { EarlierCharges } from './earlier-charges.ts';
import type { RowKind } from './row-kind.ts';
import { stillUnpaid } from './unpaid-payments.ts';

type SmsRowsNeeds = {
  readonly store: Store;
  readonly clock: Clock;
  readonly smsSender: Pick<SmsSender, 'prepare'>;
  readonly earlier: Pick<EarlierCharges, 'made'>;
};

export class SmsRows implements RowKind {
  readonly unanswered = ['waiting', 'sending'] as const;
  readonly #needs: SmsRowsNeeds;

  constructor(needs: SmsRowsNeeds) {
    this.#needs = needs;
  }

  async next(run: BulkRun) {
    const { store, smsSender } = this.#needs;
    const { requester, conversation, terms: of } = run;
    const next = await readNextRow(store, run, isSms);
    if (next === undefined || !isOfSms(of)) return undefined;
    const { row, id, recipient, text } = next;
    const make = async (alsoPut: readonly Put[]): Promise<boolean | 'not again'> => {
      const { senderId, merchant } = of;
      const terms = { senderId, text, recipients: [recipient], ...defined({ merchant }) };
      const { batch, audit } = smsSender.prepare({ terms, requester, conversation }, requester, {
        id,
        bulk: { run: run.id, row },
      });
      const day = await readSmsDay(this.#needs, requester);
      // Before the look: an SMS to this customer that is confirmed after it changes the note.
      const isReminder = of.reminds !== undefined;
      const note = await noteText(this.#needs, { recipient, text, isReminder });
      if (isReminder && !(await this.#isToRemind(next, of))) return 'not again';
      const counted = day.with(partsOf(text));
      const put = [{ kind: 'sms', record: batch } as const, counted, note(id), ...alsoPut];
      return store.commit({ put, audit: [audit] });
    };
    return { id, worth: partsOf(text), make };
  }

  /** Whether the customer of a reminder has still not paid, and had none that day. */
  async #isToRemind(
    { recipient, remindsOf = '' }: BulkSms,
    { reminds, merchant }: SmsFileTerms,
  ): Promise<boolean> {
    const { store } = this.#needs;
    const reminder = { recipient, text: ANY_REMINDER, merchant };
    if (await wasTextSent(store, reminder, reminds?.dayMs ?? 0)) return false;
    const payment = await store.get('payment', remindsOf);
    return payment !== undefined && (await stillUnpaid(this.#needs, [payment])).length > 0;
  }

  async stateOf(id: string) {
    return (await this.#needs.store.get('sms', id))?.chunks[0]?.state;
  }

  /** The answer to an SMS is its outcome: there is no later word of it. */
  added(tally: BulkTally, answers: readonly RowState[]): BulkTally {
    const counted = { ...tally };
    for (const state of answers) counted[state] = { count: (counted[state]?.count ?? 0) + 1 };
    return counted;
  }

  async atEnd({ terms }: BulkRun, nowMs: number) {
    const isLarge = terms.rows >= LARGE_RUN;
    return isLarge ? [await balancesDueNow(this.#needs.store, nowMs, terms.merchant)] : [];
  }
}
