import { OPERATIONS, type Operations } from './api.ts';
import { errorOf } from './errors.ts';
import { RETRIES, type Retries, waitAfter } from './retries.ts';

/** The options of a client. */
export interface ClientOptions {
  /** URL of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API token or a session. Public operations need none. */
  readonly token?: string;
  readonly retries?: Partial<Retries>;
  /** A fetch to use instead of the platform's, for proxies and the like. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call, including its waits: `AbortSignal.timeout(120_000)`. */
  readonly signal?: AbortSignal;
  /** Idempotency key for operations that take one: repeated with the same key, they run once. Default: a new key. */
  readonly idempotencyKey?: string;
}

/** How to send an operation. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Properties that go into the query string. */
  readonly query?: readonly string[];
  /** Whether the other properties are sent as a JSON body. */
  readonly body?: true;
  /** Where the idempotency key goes. */
  readonly key?: 'header' | 'body';
}

/** Properties of path, query and body together. */
type Input = Readonly<Record<string, unknown>>;

/** Sends one operation, with retries. */
export type Send = <T>(
  name: keyof Operations,
  input: Input,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
) => Promise<T>;

function requestOf(operation: Operation, input: Input, token: string | undefined, key: string | undefined) {
  const rest = { ...input };
  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(take(name))));
  const query = new URLSearchParams();
  for (const name of operation.query ?? []) {
    const value = take(name);
    if (value !== undefined) query.set(name, String(value));
  }
  const body = operation.key === 'body' ? { idempotency_key: key, ...rest } : rest;
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (operation.body) headers['content-type'] = 'application/json';
  if (operation.key === 'header') headers['idempotency-key'] = key!;
  return {
    path: query.size > 0 ? `${path}?${query}` : path,
    method: operation.method,
    headers,
    body: operation.body ? JSON.stringify(body) : undefined,
  };
}

/**
 * Makes the function that sends requests. A `retryable` refusal is repeated after its `Retry-After`. A request whose
 * connection broke is repeated only when a repeat changes and costs nothing.
 * @throws the function throws PlatError for a final refusal; TypeError when the service cannot be reached.
 */
export function sender({ url, token, retries, fetch = globalThis.fetch }: ClientOptions): Send {
  const policy = { ...RETRIES, ...retries };
  const base = url.replace(/\/+$/, '');
  return async (name, input, { signal, idempotencyKey }, read) => {
    const operation: Operation = OPERATIONS[name];
    const key = operation.key === undefined ? undefined : (idempotencyKey ?? crypto.randomUUID());
    const { path, ...request } = requestOf(operation, input, token, key);
    const repeatable = key !== undefined || operation.method !== 'POST';
    for (let attempt = 1; ; attempt++)
      try {
        const response = await fetch(base + path, { ...request, signal, redirect: 'error' });
        if (!response.ok) throw await errorOf(response);
        return await read(response);
      } catch (failure) {
        await waitAfter(failure, attempt, repeatable, policy, signal);
      }
  };
}
