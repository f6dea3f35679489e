import type { StoreTally } from './store-tally.ts';

export type AuditVerdict = {
  /** The broken places that are named, and how many there are in all; 0: the trail is whole. */
  readonly places: readonly string[];
  readonly broken: number;
  readonly rows: number;
  /** The payments as they are stored, and as the trail has them. */
  readonly stored: StoreTally;
  readonly audited: StoreTally;
  /** A hash over all that was checked; kept elsewhere, it shows later whether the trail was written again. */
  readonly head: string;
  /** Whether a head that was noted earlier is still part of the trail; undefined: none was given. */
  readonly hasNoted?: boolean;
};

/** With the first few one knows where to look; one damage may touch every payment after it. */
const MOST_NAMED = 20;

export class BrokenPlaces {
  readonly #named: string[] = [];
  #count = 0;

  add(place: string): void {
    this.#count += 1;
    if (this.#named.length < MOST_NAMED) this.#named.push(place);
  }

  get named(): readonly string[] {
    return this.#named;
  }

  get count(): number {
    return this.#count;
  }
}
