import { FairQueue } from '../../query/engine/queue/fair-queue.ts';
import { type End, Lease, type LeaseKind } from '../lease/lease.ts';

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
export interface Held extends Lease {
  /** Sets the real size, once it is known. Bytes that were released stay so. */
  resize(bytes: number): void;
}

/**
 * A memory budget, in bytes, for answers (from before they are made until the client has read them) and for bodies
 * (until their requests are answered). A client that does not read its answers fills its own share and then waits.
 * Waiting accounts get room in turn. A holder that has nothing yet is always let in, whatever the size.
 */
export class Room {
  readonly #kind: LeaseKind;
  readonly #bytes: number;
  readonly #ownerBytes: number;
  readonly #isClosed: () => boolean;
  readonly #waiting = new FairQueue<Wanting>();
  readonly #of = new Map<string, number>();
  readonly #on = new WeakMap<object, number>();
  #used = 0;

  constructor(kind: LeaseKind, bytes: number, { ownerBytes = bytes * ONE, isClosed = () => false }: RoomOptions = {}) {
    this.#kind = kind;
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
   * @param end of the request: it frees the bytes, or ends the wait for them.
   * @returns null when there was no room for too long, or when the request ended.
   */
  async enter(holder: Holder, bytes: number, end: End, patienceMs = PATIENCE_MS): Promise<Held | null> {
    return this.#fits(holder, bytes) ? this.hold(holder, bytes, end) : this.#turn(holder, bytes, end, patienceMs);
  }

  /** Counts bytes that already exist, whether there is room or not, until the request ends. */
  hold({ owner, connection }: Holder, bytes: number, end: End): Held {
    let size = 0;
    const resize = (now: number) => {
      const more = now - size;
      size = now;
      this.#used += more;
      const own = (this.#of.get(owner) ?? 0) + more;
      if (own > 0) this.#of.set(owner, own);
      else this.#of.delete(owner);
      this.#on.set(connection, (this.#on.get(connection) ?? 0) + more);
      if (more < 0) this.admit();
    };
    resize(bytes);
    const lease = new Lease(this.#kind, () => resize(0));
    return Object.assign(lease, { resize: (now: number) => lease.isHeld && resize(now) }).until(end);
  }

  #fits({ owner, connection }: Holder, bytes: number): boolean {
    const fits = (used: number, most: number) => used === 0 || used + bytes <= most;
    return (
      fits(this.#used, this.#isClosed() ? 0 : this.#bytes) &&
      fits(this.#of.get(owner) ?? 0, this.#ownerBytes) &&
      fits(this.#on.get(connection) ?? 0, this.#bytes * CONNECTION)
    );
  }

  #turn(holder: Holder, bytes: number, end: End, patienceMs: number): Promise<Held | null> {
    return new Promise(resolve => {
      const enter = () => {
        resolve(this.hold(holder, bytes, end));
        place.release();
      };
      const wanting: Wanting = { ...holder, bytes, enter };
      const place = new Lease('line', () => {
        clearTimeout(timer);
        this.#waiting.remove(wanting);
        // Changes nothing for who has entered.
        resolve(null);
      });
      const timer = setTimeout(() => place.release(), patienceMs);
      this.#waiting.push(wanting);
      place.until(end);
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
