/** Scheme of the addresses of tiles in the style. MapLibre asks for such a tile here and not by itself. */
export const TILE_SCHEME = 'plat-tile';

/** Milliseconds before a failed tile is asked for again; doubled each time, up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Milliseconds between two looks for another release: while servers change, they contradict each other. */
const LOOKS_APART_MS = 1_000;

const SECOND_MS = 1_000;
/** How the places of tiles of a search begin. */
const MATCHES = 'matches/';

/** Waits. @throws AbortError when the signal ends it. */
const waited = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });

/** What a loader needs, and whom it tells. */
export interface TileSurroundings {
  /** The release that the map shows; null while there is none. */
  release(): string | null;
  /** Shows the release that is current by now. @throws where the server does not say which one that is. */
  follow(): Promise<void>;
  /** Tells that tiles fail again and again, and that all of them have come after all. */
  onTrouble(hasTrouble: boolean): void;
}

/**
 * Fetches tiles until they have come. MapLibre by itself asks once: after a 404, as all tiles of a release give once
 * another is current, it leaves a hole and tells nobody; after a 429 or 503 it leaves the hole as well.
 */
export class TileLoader {
  readonly #around: TileSurroundings;
  #looking: Promise<void> | null = null;
  #lastLook = -Infinity;
  readonly #failing = new Set<symbol>();

  constructor(around: TileSurroundings) {
    this.#around = around;
  }

  /**
   * Fetches a tile of the release that is current.
   * @param address `plat-tile://LAYERS/z/x/y`, or what /tiles/ has behind these words. @returns the bytes of the tile, none where nothing lies in it.
   * @throws AbortError when the tile is no longer wanted.
   */
  async load(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
    const [place = '', terms] = address.slice(TILE_SCHEME.length + 3).split('?');
    const path = `/tiles/${place}${/\.\w+$/.test(place) ? '' : '.mvt'}`;
    const self = Symbol(path);
    try {
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        const release = this.#around.release();
        const query = [terms, release === null ? undefined : `release=${encodeURIComponent(release)}`].filter(Boolean);
        const response = await fetch(query.length > 0 ? `${path}?${query.join('&')}` : path, { signal }).catch(
          () => null,
        );
        const bytes = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
        if (bytes) return bytes;
        signal.throwIfAborted();
        // The hour of a search's tiles is over, which no other release mends.
        if (response?.status === 404 && place.startsWith(MATCHES)) return new ArrayBuffer(0);
        if (response?.status === 404) {
          await this.#look();
          if (this.#around.release() !== release) continue;
        }
        // One refusal is no news: the next second often answers.
        if (wait > FIRST_WAIT_MS) this.#tell(() => this.#failing.add(self));
        const seconds = Number(response?.headers.get('retry-after') ?? 0);
        await waited(Math.max(wait, seconds * SECOND_MS), signal);
      }
    } finally {
      this.#tell(() => this.#failing.delete(self));
    }
  }

  /** Looks for another release, once for all tiles that wait for it. */
  #look(): Promise<void> {
    this.#looking ??= (async () => {
      const pause = this.#lastLook + LOOKS_APART_MS - performance.now();
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause));
      this.#lastLook = performance.now();
      await this.#around.follow().catch(() => {});
    })().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #tell(change: () => void): void {
    const before = this.#failing.size > 0;
    change();
    const after = this.#failing.size > 0;
    if (before !== after) this.#around.onTrouble(after);
  }
}
