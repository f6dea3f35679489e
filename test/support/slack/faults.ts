/** What goes wrong with a call. `times` calls are hit, all of them when left out. */
export type Fault =
  /** HTTP 429; without a number Slack does not say how long. */
  | { readonly kind: 'rateLimited'; readonly retryAfterSeconds?: number }
  /** Another status with a page of HTML, as from a proxy in between. */
  | { readonly kind: 'http'; readonly status: number }
  /** HTTP 200 with something that is not JSON. */
  | { readonly kind: 'garbage' }
  /** `ok: false` with this error. */
  | { readonly kind: 'error'; readonly error: string }
  /** The connection is cut and nothing was done. */
  | { readonly kind: 'cut before' }
  /** It was done, and the answer never comes. */
  | { readonly kind: 'cut after' }
  /** Answered after this many milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number };

type Plan = { readonly fault: Fault; left: number };

/** The faults planned for each method; `*` is any method, `response_url` the answers to interactions. */
export class Faults {
  readonly #plans = new Map<string, Plan[]>();

  plan(method: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#plans.set(method, [...(this.#plans.get(method) ?? []), { fault, left: times }]);
  }

  /** All is well again. */
  heal(): void {
    this.#plans.clear();
  }

  /** The fault of this call, used up by it. */
  take(method: string): Fault | undefined {
    const plan = [...(this.#plans.get(method) ?? []), ...(this.#plans.get('*') ?? [])].find(
      ({ left }) => left > 0,
    );
    if (plan === undefined) return undefined;
    plan.left -= 1;
    return plan.fault;
  }
}
