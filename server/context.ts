import type { Catalog } from '../datasets/catalog.ts';
import type { Engine, RequestTerms } from '../query/engine/engine-interface.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Clock } from './clock.ts';
import type { Credential } from './credential.ts';
import type { Geocoder } from './geocoder/geocoder.ts';
import type { Outliving } from './outliving.ts';
import type { Account } from './state/account.ts';
import type { StateStore } from './state/store.ts';

/** What operations work with, the same for every request. */
export interface Services {
  readonly engine: Engine;
  readonly catalog: Catalog;
  /** Null when the setting switches it off. */
  readonly cache: AnswerCache | null;
  readonly clock: Clock;
  readonly geocoder: Geocoder;
  readonly state: StateStore;
  /** Work that goes on when its client has gone: a server that stops waits for it too. */
  readonly outliving: Outliving;
}

/** What an operation knows about one request: no HTTP types, so that batch, jobs and tools can call it too. */
export interface Ctx extends Services {
  /** Null on public endpoints. */
  readonly account: Account | null;
  /** How it was shown who is asking; null on public endpoints. */
  readonly credential: Credential | null;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds by which the answer must be out. */
  readonly deadline: number;
  readonly requestId: string;
  /** One object for all requests of one who waits for each answer before asking again: the connection they come by. */
  readonly caller: object;
  /** Faults that are answered without ending the request. */
  readonly log: { error(detail: object, message: string): void };
}

/**
 * Who is asking, on endpoints that need a token.
 * @throws Error when a route of such an endpoint is not protected, which is a fault of the program.
 */
export function accountOf(ctx: Ctx): Account {
  if (!ctx.account) throw new Error('The operation needs an account and its route lets requests through without one');
  return ctx.account;
}

/** What the engine is to know of who asks. */
export const termsOf = ({ deadline, signal, account }: Ctx): RequestTerms & { readonly signal: AbortSignal } => ({
  deadline,
  signal,
  account: account?.id,
});
