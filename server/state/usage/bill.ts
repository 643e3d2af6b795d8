import type { Sums } from './usage.ts';

/** Credits that one request was charged so far, and those that its account has left. */
export class Bill {
  #credits = 0;
  #remaining: number | null = null;

  /**
   * Adds a charge.
   * @param allowance credits a month of the plan. @param sums credits spent and reserved in the month, after the charge.
   */
  add(credits: number, allowance: number, sums: Sums): void {
    this.#credits += credits;
    this.#remaining = Math.max(0, allowance - sums.spent - sums.held);
  }

  /** What was charged and what is left; null where nothing was metered. */
  get sums(): { readonly credits: number; readonly remaining: number } | null {
    return this.#remaining === null ? null : { credits: this.#credits, remaining: this.#remaining };
  }

  /** The same as response headers, none where nothing was metered. */
  get headers(): Readonly<Record<string, string>> {
    const { sums } = this;
    if (!sums) return {};
    return { 'x-service-credits': `${sums.credits}`, 'x-service-credits-remaining': `${sums.remaining}` };
  }
}
