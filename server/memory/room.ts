import { FairQueue } from '../../query/engine/queue/fair-queue.ts';

/** Milliseconds that a request waits for room before it is refused. */
const PATIENCE_MS = 10_000;
/** Shares of the room that one account, or address without a token, and one connection may have. */
const [ONE, CONNECTION] = [0.5, 0.25];

/** Whose bytes they are. */
export interface Holder {
  /** Account, or address without a token. */
  readonly owner: string;
  readonly connection: object;
}

interface Wanting extends Holder {
  readonly bytes: number;
  readonly enter: () => void;
}

/** What a request holds of the room. */
export interface Held {
  /** Says what it comes to, once that is known. */
  resize(bytes: number): void;
  /** Once the client has taken the answer, or has gone. */
  leave(): void;
}

/**
 * Room for bytes on their way: of answers, from before they are made until the client has taken them; of bodies, until their
 * requests are answered. Who does not read what was asked for fills its own share and then waits; accounts that wait for
 * room get it in turn. One holder who has nothing is always let in, however much it is.
 */
export class Room {
  readonly #bytes: number;
  readonly #isClosed: () => boolean;
  readonly #waiting = new FairQueue<Wanting>();
  readonly #of = new Map<string, number>();
  readonly #on = new WeakMap<object, number>();
  #used = 0;

  /** @param isClosed whether there is only room for one at a time now; say `admit` when that ends. */
  constructor(bytes: number, isClosed = () => false) {
    this.#bytes = bytes;
    this.#isClosed = isClosed;
  }

  /** Bytes that are held. */
  get used(): number {
    return this.#used;
  }

  /** Whether an owner or its connection has filled its share: even what is small has to wait then. */
  isFilledBy({ owner, connection }: Holder): boolean {
    return (
      (this.#of.get(owner) ?? 0) >= this.#bytes * ONE || (this.#on.get(connection) ?? 0) >= this.#bytes * CONNECTION
    );
  }

  /**
   * Waits for room.
   * @param bytes that it is thought to be.
   * @returns null when there was none for too long, or nobody waits any more.
   */
  async enter(holder: Holder, bytes: number, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<Held | null> {
    return this.#fits(holder, bytes) ? this.hold(holder, bytes) : this.#turn(holder, bytes, signal, patienceMs);
  }

  /** Counts what is there already, whether there is room or not. */
  hold({ owner, connection }: Holder, bytes: number): Held {
    let held = 0;
    const resize = (now: number) => {
      const more = now - held;
      held = now;
      this.#used += more;
      const own = (this.#of.get(owner) ?? 0) + more;
      if (own > 0) this.#of.set(owner, own);
      else this.#of.delete(owner);
      this.#on.set(connection, (this.#on.get(connection) ?? 0) + more);
      if (more < 0) this.admit();
    };
    resize(bytes);
    return { resize, leave: () => resize(0) };
  }

  #fits({ owner, connection }: Holder, bytes: number): boolean {
    const fits = (used: number, most: number) => used === 0 || used + bytes <= most;
    return (
      fits(this.#used, this.#isClosed() ? 0 : this.#bytes) &&
      fits(this.#of.get(owner) ?? 0, this.#bytes * ONE) &&
      fits(this.#on.get(connection) ?? 0, this.#bytes * CONNECTION)
    );
  }

  #turn(holder: Holder, bytes: number, signal: AbortSignal, patienceMs: number): Promise<Held | null> {
    return new Promise(resolve => {
      const end = (held: Held | null) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        this.#waiting.remove(wanting);
        resolve(held);
      };
      const give = () => end(null);
      const wanting: Wanting = { ...holder, bytes, enter: () => end(this.hold(holder, bytes)) };
      const timer = setTimeout(give, patienceMs);
      signal.addEventListener('abort', give, { once: true });
      this.#waiting.push(wanting);
    });
  }

  /** Lets in who waits and finds room. */
  admit(): void {
    for (;;) {
      const next = this.#waiting.shiftWanted(wanting => this.#fits(wanting, wanting.bytes));
      if (!next) return;
      next.enter();
    }
  }
}
