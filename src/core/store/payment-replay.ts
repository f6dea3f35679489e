import type { Payment } from '../records/payment.ts';
import type { AuditRow } from '../records/records.ts';
import { type Money, sameMoney } from '../values/money.ts';

/** One payment as its audit rows tell it, from the first on. What they do not tell is taken for right. */
export class PaymentReplay {
  #rows = 0;
  #state: string | null = null;
  #flag: AuditRow['flag'];
  /** Undefined also when the detail that has it was deleted with the customer. */
  #amount: Money | undefined;

  get state(): string {
    return this.#state ?? 'nothing';
  }

  get amount(): Money | undefined {
    return this.#amount;
  }

  /** Takes the next row. What is wrong with it, or undefined; the next one is measured by this one in any case. */
  take(row: AuditRow): string | undefined {
    const problem = this.#problemOf(row);
    this.#rows = row.version ?? this.#rows + 1;
    this.#state = row.after;
    this.#flag = row.flag;
    if (row.what === 'confirmed') this.#amount = amountIn(row);
    return problem;
  }

  #problemOf({ version, before, what }: AuditRow): string | undefined {
    const next = this.#rows + 1;
    if (version === undefined)
      return `a row (${what}) without a version is where version ${next} belongs`;
    if (version !== next)
      return version > next
        ? `before version ${version} (${what}) ${next === version - 1 ? `version ${next} is` : `versions ${next} to ${version - 1} are`} missing`
        : `version ${version} (${what}) is where version ${next} belongs`;
    return before === this.#state
      ? undefined
      : `version ${next} (${what}) begins with ${before ?? 'nothing'}, and the one before ends with ${this.#state ?? 'nothing'}`;
  }

  /** How a record differs from what the rows lead to; undefined: it does not. */
  differenceTo({ version, state, flag, terms: { amount } }: Payment): string | undefined {
    if (version !== this.#rows) return `version ${version}, in the trail ${this.#rows}`;
    if (state !== this.#state) return `${state}, in the trail ${this.state}`;
    if (flag !== this.#flag) return `${flagText(flag)}, in the trail ${flagText(this.#flag)}`;
    const told = this.#amount;
    if (told === undefined || sameMoney(told, amount)) return undefined;
    return `${amount.currency} ${amount.amountMinor} (in minor units), in the trail ${told.currency} ${told.amountMinor}`;
  }
}

const flagText = (flag: AuditRow['flag']): string =>
  flag === undefined ? 'without a flag' : `with the flag "${flag}"`;

export const amountIn = ({ detail }: AuditRow): Money | undefined => {
  const amount = detail?.['amount'];
  if (typeof amount !== 'object' || amount === null) return undefined;
  const { amountMinor, currency } = amount as Partial<Record<keyof Money, unknown>>;
  return typeof amountMinor === 'number' && typeof currency === 'string'
    ? { amountMinor, currency }
    : undefined;
};
