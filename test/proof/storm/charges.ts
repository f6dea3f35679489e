/** One charge that a person wants to make, and what that person did and saw. */
export type Charge = {
  /** No other charge has this amount: by it a charge is recognised in every ledger. */
  readonly amountMinor: number;
  readonly customerNumber: string;
  readonly platform: string;
  /** The chat in which it was typed. */
  readonly place: string;
  readonly askedAtMs: number;
  /** When its button was pressed for the first time. */
  pressedAtMs?: number;
  presses: number;
  /** When the person saw that the press had counted. */
  acceptedAtMs?: number;
  /** When the person was told that it is cancelled and nothing was charged. */
  cancelledAtMs?: number;
};

/** Small enough to be written without separators. */
const FIRST_AMOUNT_MINOR = 100_00;

/** All that was ever typed, for the verdict. */
export class ChargeBook {
  readonly charges: Charge[] = [];

  open({ platform, place }: { platform: string; place: string }): Charge {
    const count = this.charges.length;
    const charge: Charge = {
      platform,
      place,
      amountMinor: FIRST_AMOUNT_MINOR + count,
      // A customer of its own, so that no charge warns of another.
      customerNumber: `024${String(4_000_000 + count)}`,
      askedAtMs: Date.now(),
      presses: 0,
    };
    this.charges.push(charge);
    return charge;
  }
}

/** As people write it: `100.07`. */
export const amountText = (amountMinor: number): string => (amountMinor / 100).toFixed(2);
