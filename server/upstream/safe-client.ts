import { Resolver } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Lease } from '../lease/lease.ts';
import { holds, isPublicAddress, networkList } from './public-address.ts';

/** Milliseconds for the whole request: name, connection, TLS and answer. */
const SAFE_LIMIT_MS = 10_000;
const MAX_BYTES = 65_536;
/** Addresses of a host that are used; a stranger's name may have thousands. */
const MOST_ADDRESSES = 8;

/** Why a request to a stranger's URL was refused or failed. */
type SafeFault =
  /** The URL may not be requested, because of its scheme, its form or its target. Another try cannot help. */
  | 'refused'
  /** The host name has no public address: none at all, or one that is not public, which callers are not told apart. */
  | 'unresolved'
  | 'timed_out'
  /** `admit` let nothing through. */
  | 'held'
  /** It or its name server could not be reached, or it has no valid certificate, closed the connection or sent too much. */
  | 'dropped';

/** A request to a stranger's URL that got no answer. */
export class SafeClientError extends Error {
  override readonly name = 'SafeClientError';
  readonly fault: SafeFault;
  constructor(fault: SafeFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

interface SafeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most bytes of the answer's body; longer ones are `dropped`. 0 leaves the body unread. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Asked before one of the addresses of the host is connected to. @returns why none may be now; null to go on. */
  readonly admit?: (addresses: readonly string[]) => Promise<string | null>;
}

export interface SafeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests to URLs that strangers name: callbacks of field requests, metadata of OAuth clients. */
export interface SafeClient {
  /**
   * Sends one request. Redirects are returned like any other answer.
   * @throws SafeClientError; AbortError when the caller's signal aborts.
   */
  send(url: string, request: SafeRequest): Promise<SafeAnswer>;
  /**
   * Checks whether `send` would connect, without connecting.
   * @throws SafeClientError `refused`, `unresolved` or `timed_out`.
   */
  check(url: string, limitMs: number): Promise<void>;
}

export interface SafeClientOptions {
  /** Networks that are not public and may be requested nevertheless, even without TLS. */
  readonly networks?: readonly string[];
  /** Name servers as `address:port`. Default: those of the machine. */
  readonly nameServers?: readonly string[];
  /** Certificates to trust instead of Node's own, in PEM. */
  readonly ca?: string;
  readonly limitMs?: number;
}

const refused = (why: string) => new SafeClientError('refused', why);
const unresolved = () => new SafeClientError('unresolved', 'its name leads to no public address');
/** Errors of a name server that say that a name has no address of a kind. */
const NO_ADDRESS = ['ENOTFOUND', 'ENODATA'];

function parsed(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw refused('it is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('its scheme is not https');
  if (url.username || url.password) throw refused('it holds a user or password');
  return url;
}

/** The host of a URL without brackets: a name, or an address in the canonical form that URL gives it. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

function limited<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Once the work has ended, the rejection changes nothing.
  const limit = new Lease('signal', () => reject(signal.reason)).until(signal);
  return Promise.race([work, promise]).finally(() => limit.release());
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SafeClientError('dropped', `it answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Makes a client for URLs that strangers name. It resolves a name once, checks each of its addresses, and connects to
 * one of them. A name that resolves differently a moment later therefore leads nowhere else.
 */
export function createSafeClient(options: SafeClientOptions = {}): SafeClient {
  const { limitMs = SAFE_LIMIT_MS, ca, nameServers } = options;
  const networks = networkList(options.networks ?? []);

  /** The addresses of a host, IPv4 first. @throws SafeClientError unresolved, dropped. */
  async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    // No name server may be asked about these (RFC 6761, 6.3).
    if (/(?:^|\.)localhost\.?$/.test(host)) return ['127.0.0.1'];
    const resolver = new Resolver({ timeout: limitMs, tries: 1 });
    if (nameServers) resolver.setServers(nameServers);
    try {
      const found = await limited(Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]), signal);
      const addresses = found.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      if (found.every(answer => answer.status === 'rejected' && NO_ADDRESS.includes(answer.reason.code)))
        throw unresolved();
      throw new SafeClientError('dropped', 'no name server says where its name leads');
    } finally {
      resolver.cancel();
    }
  }

  /** Addresses that a URL may be asked at. @throws SafeClientError. */
  async function judged(url: URL, signal: AbortSignal): Promise<string[]> {
    const host = hostOf(url);
    const isListed = (address: string) => holds(networks, address);
    if (url.protocol !== 'https:') {
      // Wherever its name leads, and whether it leads anywhere.
      const addresses = options.networks?.length ? await addressesOf(host, signal).catch(() => []) : [];
      if (addresses.length > 0 && addresses.every(isListed)) return addresses;
      signal.throwIfAborted();
      throw refused('its scheme is not https');
    }
    const addresses = await addressesOf(host, signal);
    if (addresses.every(address => isPublicAddress(address) || isListed(address))) return addresses;
    throw isIP(host) === 0 ? unresolved() : refused('it is not a public address');
  }

  /** The work within a time limit, its errors in the words of this client. */
  async function within<T>(ms: number, signal: AbortSignal | undefined, work: (s: AbortSignal) => Promise<T>) {
    const limit = AbortSignal.timeout(ms);
    try {
      return await work(signal ? AbortSignal.any([signal, limit]) : limit);
    } catch (error) {
      if (error instanceof SafeClientError) throw error;
      if (signal?.aborted) throw new DOMException('The request was aborted', 'AbortError');
      if (limit.aborted) throw new SafeClientError('timed_out', `it did not answer completely in ${ms} ms`);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new SafeClientError('dropped', `it could not be reached or dropped the connection (${code ?? message})`);
    }
  }

  return {
    send: (text, { method, headers = {}, body = '', maxBytes = MAX_BYTES, signal: caller, admit }) =>
      within(limitMs, caller, async signal => {
        const url = parsed(text);
        const admitted = (await judged(url, signal)).slice(0, MOST_ADDRESSES);
        const held = (await admit?.(admitted)) ?? null;
        if (held !== null) throw new SafeClientError('held', held);
        const addresses = admitted.map(address => ({ address, family: isIP(address) }));
        const lookup: LookupFunction = (_host, { all }, found) =>
          all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family);
        const terms: RequestOptions & { ca?: string } = {
          method,
          // A connection of its own: none that was made to another address is used again.
          agent: false,
          lookup,
          signal,
          headers: { ...headers, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
        };
        if (ca !== undefined) terms.ca = ca;
        const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
        const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, terms, resolve);
        // Also after the answer has begun: an error that nobody hears would end the process.
        sent.on('error', reject);
        sent.end(body);
        try {
          const response = await promise;
          return {
            status: response.statusCode!,
            headers: response.headers,
            body: maxBytes === 0 ? Buffer.alloc(0) : await bodyOf(response, maxBytes),
          };
        } finally {
          sent.destroy();
        }
      }),
    check: (text, ms) =>
      within(ms, undefined, async signal => {
        await judged(parsed(text), signal);
      }),
  };
}
