import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { creditsOf } from '../credits/price.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Reservation } from '../state/ledger.ts';
import { MOST_CALCULATIONS } from './schema.ts';

/** The name under which the ledger files the charges. */
const ENDPOINT = 'proximity';
/** Driving calculations in one unit of the price. */
const PER_UNIT = 10;
const CREDITS = creditsOf('POST /v1/proximity');

const priceOf = (calculations: number) => Math.ceil(calculations / PER_UNIT) * CREDITS;

/** Counts the driving calculations of one request and reserves their credits before they are made. */
export class Meter {
  readonly #ctx: Ctx;
  readonly #held: { readonly reservation: Reservation; readonly credits: number }[] = [];
  #calculations = 0;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  get calculations(): number {
    return this.#calculations;
  }

  /**
   * Reserves the credits of more calculations.
   * @throws ServiceError proximity_request_exceeds_budget_share when the request would make more than 3,500 (it is
   * charged the minimum price of a request); credits_exhausted.
   */
  async take(calculations: number): Promise<void> {
    const total = this.#calculations + calculations;
    if (total > MOST_CALCULATIONS) {
      const reservation = await reserveCredits(this.#ctx, randomUUID(), ENDPOINT, [CREDITS]);
      await settleCredits(this.#ctx, reservation, CREDITS);
      const said = { calculations: total, max: MOST_CALCULATIONS };
      throw new ServiceError('proximity_request_exceeds_budget_share', said, said);
    }
    const credits = priceOf(total) - priceOf(this.#calculations);
    if (credits > 0) {
      const reservation = await reserveCredits(this.#ctx, randomUUID(), ENDPOINT, [credits]);
      this.#held.push({ reservation, credits });
    }
    this.#calculations = total;
  }

  /** Corrects the number of calculations, which can only fall. */
  correct(calculations: number): void {
    this.#calculations = Math.min(this.#calculations, calculations);
  }

  /** Charges the calculations made and releases the rest. */
  async charge(): Promise<void> {
    let left = priceOf(this.#calculations);
    for (const { reservation, credits } of this.#held.splice(0)) {
      const due = Math.min(left, credits);
      left -= due;
      await settleCredits(this.#ctx, reservation, due);
    }
  }

  /** Releases all credits. */
  async release(): Promise<void> {
    for (const { reservation } of this.#held.splice(0)) await settleCredits(this.#ctx, reservation, 0);
  }
}
