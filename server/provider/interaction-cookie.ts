import { AsyncLocalStorage } from 'node:async_hooks';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Seal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import { SIGN_IN_PATH } from './openid.ts';

/** Names of the cookie by its path: browsers keep cookies of one name apart by path, and libraries do not. */
const NAMES = { page: 'plat_interaction', resume: 'plat_interaction_resume', back: 'plat_interaction_back' } as const;
const COOKIE = /(?:^|;\s*)(?:__Secure-)?plat_interaction(?:_resume|_back)?=([\w-]+)/g;
/** Most bytes that a cookie unpacks to. */
const MOST_BYTES = 16_384;
const HOUR_SECONDS = 60 * 60;

/** A request whose cookies hold the authorization that it is about, and its response. */
interface Exchange {
  readonly request: Pick<FastifyRequest, 'raw' | 'ip'>;
  readonly reply: Pick<FastifyReply, 'raw'>;
}

/** Whether nobody has signed in to an authorization yet, so that whoever has its text can do no more than begin it again. */
const isStrangers = ({ session, result, lastSubmission }: AdapterPayload): boolean =>
  session === undefined && lastSubmission === undefined && (result === undefined || 'error' in (result as object));

/**
 * Holds the authorizations of people who have not signed in yet, encrypted in cookies of their browser, so that strangers
 * write nothing to the state store. Once somebody signs in, the store has the authorization, which then works once.
 */
export interface InteractionCookies {
  /** Does work on a request with the authorization that its cookies hold. */
  within<T>(exchange: Exchange, work: () => Promise<T>): Promise<T>;
  /** Sends the cookie to another path too. @param path of this server. */
  copy(exchange: Exchange, path: string): void;
  /** The records of authorizations: those of cookies, and those of the store. */
  adapter(store: Adapter): Adapter;
}

/**
 * @param isSecure whether browsers reach the server by HTTPS.
 * @param mayStore whether one more authorization by somebody who signed in may be stored for a client address.
 */
export function interactionCookies(
  seal: Seal,
  clock: Clock,
  isSecure: boolean,
  mayStore: (address: string) => Promise<boolean>,
): InteractionCookies {
  const current = new AsyncLocalStorage<Exchange>();
  const set = ({ reply }: Exchange, name: string, value: string, path: string, seconds: number) =>
    reply.raw.appendHeader(
      'set-cookie',
      `${isSecure ? '__Secure-' : ''}${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  const setBoth = (exchange: Exchange, id: string, returnTo: unknown, value: string, seconds: number) => {
    set(exchange, NAMES.page, value, `${SIGN_IN_PATH}/${id}`, seconds);
    set(exchange, NAMES.resume, value, new URL(String(returnTo)).pathname, seconds);
  };
  const sealed = ({ request }: Exchange) =>
    [...(request.raw.headers.cookie ?? '').matchAll(COOKIE)].map(match => match[1]!);
  const payloadOf = (value: string): AdapterPayload | null => {
    const packed = seal.openBytes(value);
    return packed && JSON.parse(inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString());
  };
  const find = (id: string): AdapterPayload | undefined => {
    const exchange = current.getStore();
    const payloads = exchange ? sealed(exchange).map(payloadOf) : [];
    return payloads.find(payload => payload?.jti === id && payload.exp! * 1000 > clock.now()) ?? undefined;
  };
  return {
    within: (exchange, work) => current.run(exchange, work),
    copy(exchange, path) {
      const [value] = sealed(exchange);
      if (value !== undefined) set(exchange, NAMES.back, value, path, HOUR_SECONDS);
    },
    adapter: store => ({
      ...store,
      async upsert(id, payload, expiresIn) {
        const exchange = current.getStore();
        if (exchange && isStrangers(payload)) {
          const packed = deflateRawSync(JSON.stringify(payload));
          setBoth(exchange, id, payload.returnTo, seal.close(packed), expiresIn ?? HOUR_SECONDS);
          return;
        }
        if (exchange && payload.result === undefined && !(await mayStore(exchange.request.ip)))
          throw new errors.TemporarilyUnavailable('too many authorizations were begun from here: try again later');
        await store.upsert(id, payload, expiresIn);
      },
      find: async id => (await store.find(id)) ?? find(id),
      async destroy(id) {
        const payload = find(id);
        if (payload) setBoth(current.getStore()!, id, payload.returnTo, '', 0);
        await store.destroy(id);
      },
    }),
  };
}
