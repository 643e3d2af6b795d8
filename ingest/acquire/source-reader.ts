import type { Box } from '../../datasets/geometry.ts';
import type { Client } from './client.ts';
import type { Taken } from './taken.ts';

/** A published file with the vintage that was found. */
export interface Source {
  readonly url: string;
  readonly where: string;
  /** West, south, east, north in degrees of the ground that rows must meet, or that cells cover; null for all. */
  readonly box?: Box | null;
  readonly resource: string | null;
  /** Null if the address always holds the newest vintage. */
  readonly vintage: string | null;
}

/** What a publisher says about a file without sending it. */
export interface Seen {
  readonly stamp: string | null;
  readonly changedAt: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** Columns of its rows, where it says them. */
  readonly columns?: readonly string[];
}

/** A complete download; its content is at the target's `.part`. */
export interface Content {
  readonly url: string;
  readonly stamp: string | null;
  readonly changedAt: string | null;
  readonly rows?: number;
  /** Rows that the service has and fails to send, or sends spoilt, by id. */
  readonly unread?: readonly string[];
  /** Columns that the service has and fails to send. */
  readonly without?: readonly string[];
}

/** What a reader uses. */
export interface Tools {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes that came so far, and the total if it is known. */
  readonly came: (bytes: number, of: number | null) => void;
}

/** A reader for one protocol of publishers. */
export interface SourceReader {
  /** @throws AcquireError. */
  look(source: Source, tools: Tools): Promise<Seen>;
  /**
   * Writes the content to `target` and resumes an earlier attempt if there is one.
   * @param held the complete file of an earlier version, if there is one.
   * @returns null if the publisher's version is the one held.
   * @throws AcquireError.
   */
  take(source: Source, held: Taken | null, target: string, tools: Tools): Promise<Content | null>;
}
