import type { Agreed } from './agreement.ts';
import type { Body } from './case.ts';
import { SAMPLES } from './profile.ts';
import type { Block, Side } from './side.ts';

/** The blocks of one side. */
export interface Blocks {
  readonly requests: number;
  /** Milliseconds, as of Load. */
  readonly times: readonly number[];
  /** Processor seconds of the side's processes. */
  readonly cpu: number;
  /** Requests a second of each block: those of the two sides in turn, so that one slow moment of the machine is of one pair. */
  readonly rates: readonly number[];
}

/** Blocks of each side. */
export type Timing = readonly [ours: Blocks, peer: Blocks];

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
/** Blocks in which each side warms up at least: V8 compiles most of what a class runs, in every thread. */
const LEAST_WARMING = 4;

/** How long sides warm up that meet a class: until so many requests are answered, in so many blocks at most. */
export interface Warming {
  readonly requests: number;
  readonly blocks: number;
}

/** Two processes get to know most places that are asked for. */
export const WARMING: Warming = { requests: 8 * SAMPLES, blocks: 16 };
/** As WARMING where a class was timed with these sides before. */
export const WARM: Warming = { requests: 0, blocks: LEAST_WARMING };
const MOST_CLIENTS = 8;
/** Bodies at first, when nobody knows how many a second will be answered. */
const FEW = 100;
/** So many times as many bodies as the block before sent are written: the next one may be faster. */
const SPARE = 1.5;
/** Answers that a block shall have at least, for which it lasts longer than a second, up to so many. */
const [LEAST, MOST_SECONDS] = [20, 20];

/** Sends the requests of a case to one side, each once, by so many clients at a time. */
class Sender implements Blocks {
  readonly #side: Side;
  readonly #body: (i: number) => Body;
  #next = 0;
  #enough = FEW;
  #seconds = 1;
  requests = 0;
  readonly times: number[] = [];
  readonly rates: number[] = [];
  cpu = 0;

  constructor(side: Side, body: (i: number) => Body) {
    this.#side = side;
    this.#body = body;
  }

  async send(clients: number): Promise<Block> {
    const block = await this.#side.block(this.#bodies(this.#enough), clients, this.#seconds);
    this.#enough = Math.ceil(SPARE * (block.requests + clients));
    if (block.requests < LEAST) this.#seconds = Math.min(MOST_SECONDS, this.#seconds * 2);
    return block;
  }

  /**
   * Sends and counts. A block that came to the end of its bodies is sent again with more, one without answers for longer.
   * @throws Error when even the longest has none.
   */
  async count(clients: number): Promise<void> {
    const seconds = this.#seconds;
    const block = await this.send(clients);
    if (block.requests === 0 && seconds === MOST_SECONDS) throw new Error(`No answer in ${seconds} seconds`);
    if (block.repeated > 0 || block.requests === 0) return this.count(clients);
    this.requests += block.requests;
    for (const time of block.times) this.times.push(time);
    this.cpu += block.cpu;
    this.rates.push(block.requests / block.seconds);
  }

  async warm(warming: Warming): Promise<void> {
    let requests = 0;
    for (let sent = 0; sent < LEAST_WARMING || (requests < warming.requests && sent < warming.blocks); sent++)
      requests += (await this.send(MOST_CLIENTS)).requests;
  }

  *#bodies(count: number): Generator<Body> {
    for (let i = 0; i < count; i++) yield this.#body(this.#next++);
  }
}

/** Times one case with so many clients: blocks of the same requests, the two sides in turn. */
export async function timed(
  { body }: Agreed,
  sides: readonly [Side, Side],
  clients: number,
  warming: Warming,
): Promise<Timing> {
  const senders = [new Sender(sides[0], i => body(i, 0)), new Sender(sides[1], i => body(i, 1))] as const;
  for (const side of sides) await side.readThrough();
  for (const sender of senders) {
    // Every process and worker meets the class before it is timed.
    await sender.warm(warming);
    await sender.send(clients);
  }
  for (const side of sides) await side.readThrough();
  for (let round = 0; round < ROUNDS; round++) for (const sender of senders) await sender.count(clients);
  return senders;
}
