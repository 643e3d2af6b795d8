import type { Agreed } from './agreement.ts';
import type { Body } from './case.ts';
import type { Block, Side } from './side.ts';

/** The blocks of one side. */
export interface Blocks {
  readonly requests: number;
  /** Milliseconds, as of Load. */
  readonly times: readonly number[];
  /** Processor seconds of the side's processes. */
  readonly cpu: number;
  /** Requests a second of each block: those of the sides in turn, so that one slow moment of the machine is of one round. */
  readonly rates: readonly number[];
  /** Percentages of the cores' time that the machine's host took during each block. */
  readonly stolen: readonly number[];
}

/**
 * Requests and blocks in which each side warms up, since V8 compiles what a class runs, in every thread; and the most of both blocks
 * and milliseconds: a side that answers few would warm up for ten minutes.
 */
const WARMING = { requests: 3000, blocks: 4, most: 16, mostMs: 30_000 };
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
  #next: number;
  #enough = FEW;
  #seconds = 1;
  requests = 0;
  readonly times: number[] = [];
  readonly rates: number[] = [];
  readonly stolen: number[] = [];
  cpu = 0;

  /** @param next number of the first body. */
  constructor(side: Side, body: (i: number) => Body, next: number) {
    this.#side = side;
    this.#body = body;
    this.#next = next;
  }

  /** Number of the body that comes next. */
  get next(): number {
    return this.#next;
  }

  async send(clients: number): Promise<Block> {
    const first = this.#next;
    const block = await this.#side.block(this.#bodies(this.#enough), clients, this.#seconds);
    // The rest was not sent.
    this.#next = Math.min(this.#next, first + block.requests + clients);
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
    this.stolen.push(block.stolen);
  }

  async warm(): Promise<void> {
    const { requests, blocks, most, mostMs } = WARMING;
    const end = Date.now() + mostMs;
    for (let [sent, answered] = [0, 0]; sent < blocks || (answered < requests && sent < most); sent++) {
      answered += (await this.send(MOST_CLIENTS)).requests;
      if (Date.now() > end) return;
    }
  }

  *#bodies(count: number): Generator<Body> {
    for (let i = 0; i < count; i++) yield this.#body(this.#next++);
  }
}

/** Times one case with one client and with many: blocks of the sides in turn. Each side meets the class before. */
export async function timed(
  { body }: Agreed,
  sides: readonly Side[],
  rounds: number,
  counts: readonly number[] = [1, MOST_CLIENTS],
): Promise<ReadonlyMap<number, readonly Blocks[]>> {
  const nexts = sides.map(() => 0);
  const of = () => sides.map((side, k) => new Sender(side, i => body(i, k), nexts[k]!));
  const found = new Map<number, readonly Blocks[]>();
  for (const clients of counts) {
    for (const side of sides) await side.readThrough();
    const senders = of();
    for (const sender of senders) {
      await sender.warm();
      await sender.send(clients);
    }
    for (let round = 0; round < rounds; round++) for (const sender of senders) await sender.count(clients);
    for (const [k, sender] of senders.entries()) nexts[k] = sender.next;
    found.set(clients, senders);
  }
  return found;
}
