import type { ModelLog } from './backend.ts';

/** Tokens that a model may write: three times what an answer of fifteen records takes. */
export const MAX_TOKENS = 2048;
/** Milliseconds after which a request is given up by the SDK; the stages of ask end sooner. */
export const REQUEST_LIMIT_MS = 60_000;

/** Where a model is and how it is called. */
export interface ModelSettings {
  /** Empty for that of the SDK. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly log: ModelLog;
}

/**
 * What an SDK logs, as a line of the server's log: its words without their details, which repeat what was asked and written.
 */
export function sdkLogger(log: ModelLog) {
  const say = (message: string) => log.warn({ sdk: message }, 'the SDK of a language model');
  return { error: say, warn: say, info: () => {}, debug: () => {} };
}
