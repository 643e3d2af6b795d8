import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { comparable, isIncomplete, type Question } from './questions.ts';

/** What a question is answered on a quiet server by one release, and what that costs. */
export interface Expected {
  readonly text: string;
  readonly credits: number;
}

/** What became of all requests. */
export interface Tally {
  /** Answers by kind: `right`, `incomplete`, and refusals by their code. */
  readonly counts: Map<string, number>;
  /** What must not be, a line each. */
  readonly faults: string[];
}

/** Milliseconds that a client waits for an answer: longer than any endpoint may take. */
const PATIENCE_MS = 120_000;
/** Refusals that a server may answer with while something of it is down: nothing is charged and asking again helps. */
const PASSING = new Set([
  'state_unavailable',
  'worker_stopped',
  'not_ready',
  'batch_in_progress',
  'rate_limited',
  'fetch_busy',
  'resolve_busy',
  'ask_busy',
  'search_unavailable',
]);
/** Of which a charge may stand all the same: the database had accepted it when the connection broke. */
const IN_DOUBT = 'state_unavailable';

/** One account within its limits, that counts what it has to pay. */
export class SoakClient {
  readonly #token: string;
  readonly #bases: readonly string[];
  readonly #tally: Tally;
  #turn: number;
  /** Credits that it has to pay at least: of answers it has; and at most, with those whose connection broke. */
  least = 0;
  most = 0;

  constructor(token: string, bases: readonly string[], tally: Tally, turn: number) {
    this.#token = token;
    this.#bases = bases;
    this.#tally = tally;
    this.#turn = turn;
  }

  /** Asks one question, of one server after the other; what has a key until it is answered. @param expected of any release. */
  async ask(question: Question, expected: readonly Expected[]): Promise<void> {
    const key = question.keyed ? randomUUID() : null;
    const dearest = Math.max(...expected.map(({ credits }) => credits));
    for (;;) {
      const reply = await this.#send(question, key);
      if (reply === null) {
        this.#count('connection broke');
        this.most += dearest;
      } else if (reply.status === 200) {
        this.#judge(question, comparable(reply.json), expected, dearest);
        return;
      } else {
        const { error, retryable } = (reply.json as { detail?: { error?: string; retryable?: boolean } }).detail ?? {};
        this.#count(`${reply.status} ${error}`);
        if (error === IN_DOUBT) this.most += dearest;
        const isPassing = error !== undefined && PASSING.has(error) && retryable === true;
        if (!isPassing) this.#fault(`${question.name}: ${reply.status} ${JSON.stringify(reply.json)}`);
        if (isPassing && error !== 'batch_in_progress' && reply.retryAfter === null)
          this.#fault(`${question.name}: ${reply.status} ${error} without Retry-After`);
        if (!isPassing) return;
      }
      if (key === null) return;
      await sleep(500);
    }
  }

  /** Credits used, as the service says; null while it cannot be asked. */
  async used(): Promise<number | null> {
    const reply = await this.#send({ name: 'usage', method: 'GET', path: '/v1/users/me/usage' }, null);
    return reply?.status === 200 ? (reply.json as { credits_used: number }).credits_used : null;
  }

  async #send({ method, path, body }: Question, key: string | null) {
    const base = this.#bases[this.#turn++ % this.#bases.length]!;
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        json: (await response.json()) as unknown,
      };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') this.#fault(`${path}: no answer for ${PATIENCE_MS / 1_000} s`);
      return null;
    }
  }

  #judge({ name }: Question, text: string, expected: readonly Expected[], dearest: number): void {
    const same = expected.filter(one => one.text === text);
    if (same.length > 0) {
      this.#count('right');
      this.least += Math.min(...same.map(({ credits }) => credits));
      this.most += Math.max(...same.map(({ credits }) => credits));
      return;
    }
    this.most += dearest;
    if (isIncomplete(text)) this.#count('incomplete');
    else this.#fault(`${name}: a wrong answer ${text.slice(0, 2_000)}`);
  }

  #count(what: string): void {
    this.#tally.counts.set(what, (this.#tally.counts.get(what) ?? 0) + 1);
  }

  #fault(line: string): void {
    this.#count('FAULT');
    this.#tally.faults.push(line);
    process.stderr.write(`FAULT ${line}\n`);
  }
}
