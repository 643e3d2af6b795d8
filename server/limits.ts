import type { Shares } from './rate/admission.ts';

/** How much of the server one client may use. */
export interface Limits extends Shares {
  /** Most bytes of a body. */
  readonly bodyLimit: number;
  /** Milliseconds in which a whole request must arrive. */
  readonly requestTimeout: number;
  readonly maxConnections: number;
  /** Milliseconds that an idle connection is kept; KEEP_ALIVE_MS when missing. */
  readonly keepAliveMs?: number;
  /** Milliseconds after which a client that reads nothing of its answer is cut off; STALLED_MS when missing. */
  readonly stalledMs?: number;
  /** Bytes of large answers, from their making until clients have read them, of all accounts. One may have half. */
  readonly answerBytes: number;
  /** Bytes of long bodies, from their arrival until their requests are answered, of all accounts. One may have half, and four of the largest. */
  readonly bodyBytes: number;
  /** Connections of one address at once; 0 is no limit. Trusted proxies have no limit. */
  readonly addressConnections: number;
}
