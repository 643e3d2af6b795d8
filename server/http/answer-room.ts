import type { FastifyInstance, FastifyReply } from 'fastify';
import { FairQueue } from '../../query/engine/queue/fair-queue.ts';
import { ServiceError } from '../errors/registry.ts';

/** Milliseconds that a request waits for room before it is refused. */
const PATIENCE_MS = 10_000;
/** Share of the room that one account may have. */
const ONE = 0.5;

interface Wanting {
  readonly owner: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/** What a request holds of the room. */
interface Held {
  /** Says what it comes to, once that is known. */
  resize(bytes: number): void;
  /** Once the client has taken the answer, or has gone. */
  leave(): void;
}

/**
 * Room for large answers: from before they are made until the client has taken them. Who does not read what was asked for
 * fills its own share and then waits; accounts that wait for room get it in turn.
 */
export class AnswerRoom {
  readonly #bytes: number;
  readonly #waiting = new FairQueue<Wanting>();
  readonly #of = new Map<string, number>();
  #used = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Bytes that are held. */
  get used(): number {
    return this.#used;
  }

  /**
   * Waits for room.
   * @param bytes that the answer is thought to have.
   * @returns null when there was none for too long, or nobody waits any more.
   */
  async enter(owner: string, bytes: number, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<Held | null> {
    return this.#fits(owner, bytes) ? this.#take(owner, bytes) : this.#turn(owner, bytes, signal, patienceMs);
  }

  #take(owner: string, bytes: number): Held {
    let held = 0;
    const resize = (now: number) => {
      this.#used += now - held;
      const own = (this.#of.get(owner) ?? 0) + now - held;
      if (own > 0) this.#of.set(owner, own);
      else this.#of.delete(owner);
      const less = now < held;
      held = now;
      if (less) this.#admit();
    };
    resize(bytes);
    return { resize, leave: () => resize(0) };
  }

  /** One answer is always let in, however large. */
  #fits(owner: string, bytes: number): boolean {
    const own = this.#of.get(owner) ?? 0;
    return (this.#used === 0 || this.#used + bytes <= this.#bytes) && (own === 0 || own + bytes <= this.#bytes * ONE);
  }

  #turn(owner: string, bytes: number, signal: AbortSignal, patienceMs: number): Promise<Held | null> {
    return new Promise(resolve => {
      const end = (held: Held | null) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        this.#waiting.remove(wanting);
        resolve(held);
      };
      const give = () => end(null);
      const wanting: Wanting = { owner, bytes, enter: () => end(this.#take(owner, bytes)) };
      const timer = setTimeout(give, patienceMs);
      signal.addEventListener('abort', give, { once: true });
      this.#waiting.push(wanting);
    });
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting.shiftWanted(({ owner, bytes }) => this.#fits(owner, bytes));
      if (!next) return;
      next.enter();
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a large answer to this body is thought to have, bytes: its request waits for room. */
    answerBytes?: (body: unknown) => number;
  }
}

/** Bytes of an answer from which on it waits for room. */
const LARGE_BYTES = 1024 * 1024;

const HELD = new WeakMap<FastifyReply, Held>();

/** Lets requests whose answers are large wait for room before they are answered. */
export function keepRoom(app: FastifyInstance, room: AnswerRoom): void {
  app.addHook('preHandler', async (request, reply) => {
    const bytes = request.routeOptions.config.answerBytes?.(request.body) ?? 0;
    if (bytes < LARGE_BYTES) return;
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const held = await room.enter(request.account?.id ?? '', bytes, gone.signal);
    if (!held)
      throw new ServiceError(
        'rate_limited',
        { what: 'Answers of this account that were not read yet leave no room for another one' },
        {},
        1,
      );
    HELD.set(reply, held);
    gone.signal.addEventListener('abort', () => held.leave());
    if (gone.signal.aborted) held.leave();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    const held = HELD.get(reply);
    if (held && (typeof payload === 'string' || Buffer.isBuffer(payload))) held.resize(payload.length);
    done(null, payload);
  });
}
