import type { Shares } from './rate/admission.ts';

/** What one client may take of the server. */
export interface Limits extends Shares {
  /** Bytes of a body. */
  readonly bodyLimit: number;
  /** Milliseconds in which a whole request must have come in. */
  readonly requestTimeout: number;
  readonly maxConnections: number;
  /** Milliseconds for which a connection is kept that nothing is asked by; KEEP_ALIVE_MS when missing. */
  readonly keepAliveMs?: number;
  /** Milliseconds after which a client that takes nothing of its answer is cut off; STALLED_MS when missing. */
  readonly stalledMs?: number;
  /** Bytes of large answers that are being made or were not taken yet, of all accounts; one may have half. */
  readonly answerBytes: number;
  /** Bytes of long bodies that are coming in or whose requests are under way, of all accounts; one may have half. */
  readonly bodyBytes: number;
  /** Connections of one address at once; 0 is no limit. Proxies that are trusted have none. */
  readonly addressConnections: number;
}
