import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx, Services } from '../context.ts';
import type { Credential } from '../credential.ts';
import { Lease } from '../lease/lease.ts';
import { ReleaseChoice } from '../release/choice.ts';
import type { Scope } from '../scopes.ts';
import type { Account } from '../state/account.ts';
import { Bill } from '../state/usage/bill.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs a bearer token. */
    protected?: boolean;
    /** What that token needs, of operations that declare themselves; others stand in a table. */
    scopes?: readonly Scope[];
    /** Never refused for asking too often: monitoring must always get an answer. */
    unlimited?: boolean;
    /** Answers guests too, where the operator lets them in. */
    guests?: boolean;
    /** Asked with every key that somebody types: it has a limit of its own beside that of the plan. */
    typing?: boolean;
    /** Needs a browser session: an API token is refused. */
    sessionOnly?: boolean;
    /**
     * Takes credentials back, or lists those that can be. It has limits of its own, so that nobody who stole a credential holds
     * its owner off by spending the requests of the account.
     */
    revokes?: boolean;
    /** Takes OAuth access tokens too. Its 401 names the address of the metadata (RFC 9728); empty names none. */
    resource?: { readonly metadata: string; readonly scope: string } | null;
    /** Costs nothing and changes nothing: accounts that are already known may call it while the state store is down. */
    withoutState?: boolean;
    /** Parses the bytes of a body, instead of parseJson. */
    parse?: (bytes: Buffer) => unknown;
    /** The route only refuses its methods, which are not among those that `Allow` names. */
    unanswered?: boolean;
    /** The route reads its body from the raw request itself. */
    streamed?: boolean;
  }
  interface FastifyRequest {
    /** Set by the guard on protected routes; null of a guest. */
    account: Account | null;
    /** Set with the account, and of a guest without one. */
    credential: Credential | null;
    /** Set with the context of an operation. */
    bill: Bill | null;
    releaseChoice: ReleaseChoice | null;
  }
}

/**
 * Aborts when the connection closes before the response is sent. (The request's own `close` comes with its last byte.)
 */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  new Lease('signal', () => {
    if (!response.writableFinished) controller.abort();
  }).until(response);
  return controller.signal;
}

/**
 * Makes the context that an operation gets: all it may know about the request.
 * @param limitMs milliseconds from now until its deadline.
 */
export function contextOf(request: FastifyRequest, reply: FastifyReply, services: Services, limitMs: number): Ctx {
  const { engine, catalog, cache, clock, geocoder, state, outliving, language, home, batches } = services;
  const bill = new Bill();
  request.bill = bill;
  const release = new ReleaseChoice(engine);
  request.releaseChoice = release;
  return {
    engine,
    catalog,
    cache,
    clock,
    geocoder,
    state,
    outliving,
    language,
    home,
    batches,
    account: request.account,
    credential: request.credential,
    signal: goneSignal(reply.raw),
    deadline: clock.now() + limitMs,
    requestId: request.id,
    bill,
    release,
    log: request.log,
  };
}
