import { FairQueue } from '../../query/engine/queue/fair-queue.ts';

/** Milliseconds that a request waits for room before it is refused. */
const PATIENCE_MS = 10_000;
/** Largest shares of the room: of one owner, unless the room says otherwise, and of one connection. */
const [ONE, CONNECTION] = [0.5, 0.25];

/** The owner of bytes. */
export interface Holder {
  /** Account, or address without a token. */
  readonly owner: string;
  readonly connection: object;
}

interface RoomOptions {
  /** Most bytes of one owner. */
  readonly ownerBytes?: number;
  /** Whether only one may enter at a time now; call `admit` when that ends. */
  readonly isClosed?: () => boolean;
}

interface Wanting extends Holder {
  readonly bytes: number;
  readonly enter: () => void;
}

/** The bytes that one request holds. */
export interface Held {
  /** Sets the real size, once it is known. */
  resize(bytes: number): void;
  /** Frees the bytes, once the client has read the answer or has gone. */
  leave(): void;
}

/**
 * A memory budget, in bytes, for answers (from before they are made until the client has read them) and for bodies
 * (until their requests are answered). A client that does not read its answers fills its own share and then waits.
 * Waiting accounts get room in turn. A holder that has nothing yet is always let in, whatever the size.
 */
export class Room {
  readonly #bytes: number;
  readonly #ownerBytes: number;
  readonly #isClosed: () => boolean;
  readonly #waiting = new FairQueue<Wanting>();
  readonly #of = new Map<string, number>();
  readonly #on = new WeakMap<object, number>();
  #used = 0;

  constructor(bytes: number, { ownerBytes = bytes * ONE, isClosed = () => false }: RoomOptions = {}) {
    this.#bytes = bytes;
    this.#ownerBytes = ownerBytes;
    this.#isClosed = isClosed;
  }

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /** Whether an owner or its connection has filled its share. Then small answers must wait too. */
  isFilledBy({ owner, connection }: Holder): boolean {
    return (
      (this.#of.get(owner) ?? 0) >= this.#ownerBytes || (this.#on.get(connection) ?? 0) >= this.#bytes * CONNECTION
    );
  }

  /**
   * Waits for room.
   * @param bytes estimated size.
   * @returns null when there was no room for too long, or when the signal aborted.
   */
  async enter(holder: Holder, bytes: number, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<Held | null> {
    return this.#fits(holder, bytes) ? this.hold(holder, bytes) : this.#turn(holder, bytes, signal, patienceMs);
  }

  /** Counts bytes that already exist, whether there is room or not. */
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
      fits(this.#of.get(owner) ?? 0, this.#ownerBytes) &&
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

  /** Lets waiting requests in, as far as there is room. */
  admit(): void {
    for (;;) {
      const next = this.#waiting.shiftWanted(wanting => this.#fits(wanting, wanting.bytes));
      if (!next) return;
      next.enter();
    }
  }
}
