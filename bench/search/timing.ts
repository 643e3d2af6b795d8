import type { Agreed } from './agreement.ts';
import type { Body } from './case.ts';
import type { Block, Side } from './side.ts';

/** The blocks of one side. */
export interface Blocks extends Block {
  /** Requests a second of each: those of the two sides in turn, so that one slow moment of the machine is of one pair. */
  readonly rates: readonly number[];
}

/** Blocks of each side. */
export type Timing = readonly [ours: Blocks, peer: Blocks];

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
/** A block goes on until it has taken this long. */
const LEAST_SECONDS = 0.3;
/** A block holds fewer requests where they would take the slower side longer. */
const MOST_SECONDS = 2;
const MOST_REQUESTS = 100;
const WARMING = 24;
/** Each side warms up for this long: until V8 has compiled most of what a class runs, in every thread that serves it. */
const WARMING_SECONDS = 4;
const MOST_CLIENTS = 8;

/** Sends the requests of a case to one side, each once, so many at a time. */
class Sender {
  readonly #side: Side;
  readonly #body: (i: number) => Body;
  readonly #clients: number;
  #next = 0;
  readonly times: number[] = [];
  readonly rates: number[] = [];
  seconds = 0;
  cpu = 0;

  constructor(side: Side, body: (i: number) => Body, clients: number) {
    this.#side = side;
    this.#body = body;
    this.#clients = clients;
  }

  async send(count: number, clients = this.#clients): Promise<Block> {
    const requests = Array.from({ length: count }, () => this.#side.request(this.#body(this.#next++)));
    return this.#side.block(requests, clients);
  }

  async block(count: number): Promise<void> {
    let seconds = 0;
    const before = this.times.length;
    while (seconds < LEAST_SECONDS) {
      const once = await this.send(count);
      this.times.push(...once.times);
      seconds += once.seconds;
      this.cpu += once.cpu;
    }
    this.seconds += seconds;
    this.rates.push((this.times.length - before) / seconds);
  }
}

/** Times one case with so many clients: blocks of the same requests, the two sides in turn. */
export async function timed({ body }: Agreed, sides: readonly [Side, Side], clients: number): Promise<Timing> {
  const senders = [
    new Sender(sides[0], i => body(i, 0), clients),
    new Sender(sides[1], i => body(i, 1), clients),
  ] as const;
  let slowest = 0;
  for (const sender of senders) {
    // Every worker and connection meets the class before it is timed.
    for (let spent = 0; spent < WARMING_SECONDS; ) spent += (await sender.send(WARMING, MOST_CLIENTS)).seconds;
    const { seconds } = await sender.send(4 * clients);
    slowest = Math.max(slowest, seconds / (4 * clients));
  }
  const count = Math.max(2 * clients, Math.min(MOST_REQUESTS, Math.floor(MOST_SECONDS / slowest)));
  for (let round = 0; round < ROUNDS; round++) for (const sender of senders) await sender.block(count);
  return senders;
}
