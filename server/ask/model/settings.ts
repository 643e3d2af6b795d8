import type { ModelLog } from './backend.ts';

/** Most tokens that a model may write: three times as many as an answer from fifteen records needs. */
export const MAX_TOKENS = 2048;
/** Milliseconds after which the SDK gives a request up. The stages of ask end sooner. */
export const REQUEST_LIMIT_MS = 60_000;

/** The URL and name of a model. */
export interface ModelSettings {
  /** Empty for the SDK's default. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly log: ModelLog;
}

/**
 * Sends the log lines of an SDK to the server's log, without their details, which repeat questions and answers.
 */
export function sdkLogger(log: ModelLog) {
  const say = (message: string) => log.warn({ sdk: message }, 'the SDK of a language model');
  return { error: say, warn: say, info: () => {}, debug: () => {} };
}
