import type { Client } from './client.ts';
import type { Taken } from './taken.ts';

/** A published file whose vintage was found. */
export interface Source {
  readonly url: string;
  readonly where: string;
  readonly resource: string | null;
  /** Null where the address is always that of the newest. */
  readonly vintage: string | null;
}

/** What a publisher says of a file without handing it over. */
export interface Seen {
  readonly stamp: string | null;
  readonly changedAt: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
}

/** What came of a file: its content is whole at the target's `.part`. */
export interface Content {
  readonly url: string;
  readonly stamp: string | null;
  readonly changedAt: string | null;
  readonly rows?: number;
}

/** What a reader works with. */
export interface Tools {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that came so far, and those to come where they are known. */
  readonly came: (bytes: number, of: number | null) => void;
}

/** One protocol of publishers. */
export interface SourceReader {
  /** @throws AcquireError. */
  look(source: Source, tools: Tools): Promise<Seen>;
  /**
   * Writes the content to `target`, going on where an earlier attempt ended.
   * @param held what is held of an earlier version, whole.
   * @returns null where the publisher's version is the one that is held.
   * @throws AcquireError.
   */
  take(source: Source, held: Taken | null, target: string, tools: Tools): Promise<Content | null>;
}
