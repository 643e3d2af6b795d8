import type { Catalog } from '../datasets/catalog.ts';
import type { Engine, RequestTerms } from '../query/engine/engine-interface.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Clock } from './clock.ts';
import type { Credential } from './credential.ts';
import type { Geocoder } from './geocoder/geocoder.ts';
import type { Language } from './language/language.ts';
import type { Gate } from './lease/gate.ts';
import type { Outliving } from './outliving.ts';
import type { ReleaseChoice } from './release/choice.ts';
import type { Account } from './state/account.ts';
import type { StateStore } from './state/store.ts';
import type { Bill } from './state/usage/bill.ts';

/** The services that operations use, the same for every request. */
export interface Services {
  readonly engine: Engine;
  readonly catalog: Catalog;
  /** Null when the setting switches the cache off. */
  readonly cache: AnswerCache | null;
  readonly clock: Clock;
  readonly geocoder: Geocoder;
  readonly state: StateStore;
  /** Work that continues when its client has gone. A server waits for it before it stops. */
  readonly outliving: Outliving;
  /** Reads and writes plain language, in other threads. */
  readonly language: Language;
  /** PLAT_HOME, where files lie while they are written. */
  readonly home: string;
  /** Lets batches go on. */
  readonly batches: Gate;
}

/** What an operation knows about one request. It has no HTTP types, so that batches, jobs and tools can call it too. */
export interface Ctx extends Services {
  /** Null on public endpoints, and of a guest. */
  readonly account: Account | null;
  /** How the caller proved who they are; null on public endpoints. */
  readonly credential: Credential | null;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds by which the answer must be out. */
  readonly deadline: number;
  readonly requestId: string;
  /** What the request is charged. */
  readonly bill: Bill;
  /** The release that it is answered from. */
  readonly release: ReleaseChoice;
  /** Logs faults that do not end the request. */
  readonly log: { error(detail: object, message: string): void };
}

/**
 * The account of the caller, on endpoints that need a token.
 * @throws Error when a route of such an endpoint is not protected, which is a fault of the program.
 */
export function accountOf(ctx: Ctx): Account {
  if (!ctx.account) throw new Error('The operation needs an account and its route lets requests through without one');
  return ctx.account;
}

/** Whether a guest asks, who has no account, pays nothing and leaves nothing behind. */
export const isGuest = ({ credential }: Ctx): boolean => credential?.kind === 'guest';

/** What the engine needs to know about the caller. */
export const termsOf = ({
  deadline,
  signal,
  account,
  release,
}: Pick<Ctx, 'deadline' | 'signal' | 'account' | 'release'>): RequestTerms & { readonly signal: AbortSignal } => ({
  deadline,
  signal,
  account: account?.id,
  release: release.take(),
  ...(release.isAsPublished ? { asPublished: true } : {}),
});
