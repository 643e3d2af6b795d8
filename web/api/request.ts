import { noteAccepted, noteRefused, tokenNow } from '../shell/session.ts';
import { ApiError, type Issue } from './api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { errorWords } from './error-words.ts';

interface Detail {
  readonly error?: string;
  readonly message?: string;
  readonly issues?: readonly Issue[];
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after'));
  try {
    const { detail } = JSON.parse(text) as { detail: Detail | readonly { loc: readonly unknown[]; msg: string }[] };
    if (Array.isArray(detail)) {
      const issues = detail.map(({ loc, msg }) => ({ path: loc.slice(1).join('.'), description: msg }));
      return new ApiError(response.status, 'invalid', issues.map(issue => issue.description).join(' '), issues);
    }
    const { error = 'error', message = response.statusText, issues = [] } = detail as Detail;
    return new ApiError(response.status, error, message, issues, retryAfter || null);
  } catch {
    return new ApiError(response.status, 'error', `The server answered ${response.status} ${response.statusText}.`);
  }
}

/** A guest's token; null where the server lets none in. */
interface GuestToken {
  readonly token: string | null;
  readonly expires_at: string | null;
}

/** Milliseconds before its end from which on another token is fetched. */
const SPARE_MS = 60_000;

let pending: Promise<GuestToken> | null = null;
let guestUntil = Number.POSITIVE_INFINITY;

/** The token with which this tab looks around while nobody is connected; null where it needs one of its own. */
async function guestToken(): Promise<string | null> {
  if (Date.now() > guestUntil) pending = null;
  pending ??= fetch('/v1/guest', { method: 'POST' }).then(async response => {
    if (!response.ok) throw await errorOf(response);
    const made = (await response.json()) as GuestToken;
    guestUntil = made.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(made.expires_at) - SPARE_MS;
    return made;
  });
  return pending.then(
    ({ token }) => token,
    () => {
      pending = null;
      return null;
    },
  );
}

/**
 * Sends a request. When the token of this tab is refused, the whole page is told.
 * @param token by default that of this tab, without one a guest's where the server lets guests in.
 * @throws ApiError with the server's message, or when the server could not be reached; AbortError.
 */
export async function send(request: ApiRequest, signal?: AbortSignal, token = tokenNow()): Promise<Response> {
  const { method, path, body, file, isPublic = false } = request;
  const headers: Record<string, string> = {};
  const guest = token === null && !isPublic ? await guestToken() : null;
  const sent = token ?? guest;
  if (sent !== null && !isPublic) headers.authorization = `Bearer ${sent}`;
  const type = file ? file.type : body === undefined ? null : 'application/json';
  if (type !== null) headers['content-type'] = type;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: file ? file.text : body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'The server was not reached. Is it running, and is this machine online?');
  }
  if (!response.ok) {
    const error = await errorOf(response);
    // A guest may not ask for this: what helps is a token.
    if (response.status === 401 && guest !== null) throw new ApiError(401, 'guest_refused', error.message);
    if (response.status === 401 || error.code === 'user_disabled') noteRefused(token, errorWords(error));
    throw error;
  }
  if (!isPublic) noteAccepted(token);
  return response;
}

/** Sends a request and returns the JSON of the answer. @throws as send. */
export async function ask<T>(request: ApiRequest, signal?: AbortSignal, token = tokenNow()): Promise<T> {
  const response = await send(request, signal, token);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
