import { setTimeout as sleep } from 'node:timers/promises';
import type { Login } from './secrets/store.ts';

const LIMIT_MS = 30_000;

/** A refusal by the service. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  /** Seconds to wait before another try. */
  readonly wait: number;
  constructor(status: number, code: string, message: string, wait: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.wait = wait;
  }
}

/** Sends a request to the service's API. @throws Refused; Error when the service does not answer. */
async function askService<T>(
  service: string,
  method: 'POST' | 'DELETE',
  path: string,
  { body, token }: { readonly body?: unknown; readonly token?: string } = {},
): Promise<T> {
  const reply = await fetch(new URL(path, service), {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
    redirect: 'error',
  }).catch((error: Error) => {
    throw new Error(`${service} does not answer (${(error.cause as Error | undefined)?.message ?? error.message})`);
  });
  const text = await reply.text();
  if (reply.ok) return (text === '' ? null : JSON.parse(text)) as T;
  let detail: { error?: string; message?: string } = {};
  try {
    detail = (JSON.parse(text) as { detail?: typeof detail }).detail ?? {};
  } catch {
    // An error page of a proxy says nothing beyond its status.
  }
  const { error = 'unknown', message = `${service} answered ${reply.status}` } = detail;
  throw new Refused(reply.status, error, message, Number(reply.headers.get('retry-after')) || 0);
}

/** A login that has begun. */
interface Started {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly interval: number;
}

/**
 * Logs in by device flow.
 * @param show tells the user which page to open and which code to compare.
 * @throws Refused when the user refuses or does not come in time.
 */
export async function logInByDevice(
  service: string,
  clientName: string,
  show: (started: Started) => void,
): Promise<Login> {
  const started = await askService<Started>(service, 'POST', '/v1/mcp/device/start', {
    body: { client_name: clientName },
  });
  show(started);
  let seconds = started.interval;
  for (;;) {
    await sleep(seconds * 1000);
    try {
      const { device_code } = started;
      const { token } = await askService<{ token: string }>(service, 'POST', '/v1/mcp/device/poll', {
        body: { device_code },
      });
      return { token, attemptId: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code !== 'authorization_pending' && error.code !== 'slow_down' && error.status < 500) throw error;
      seconds = Math.max(error.wait, seconds);
    }
  }
}

/** Logs in with a connect code. */
export async function logInByCode(service: string, connectCode: string): Promise<Login> {
  const given = await askService<{ token: string; attempt_id: string }>(service, 'POST', '/v1/onboarding/exchange', {
    body: { connect_code: connectCode },
  });
  return { token: given.token, attemptId: given.attempt_id };
}

/** Reports progress of an onboarding attempt. Failures are ignored, because the user cannot do anything about them. */
export async function tellProgress(
  service: string,
  { token, attemptId }: Login,
  progress: {
    readonly stage: 'installed' | 'verified';
    readonly clients?: readonly string[];
    readonly skill_installed?: boolean;
  },
): Promise<void> {
  if (attemptId === null) return;
  await askService(service, 'POST', `/v1/onboarding/${attemptId}/progress`, { token, body: progress }).catch(() => {});
}

/**
 * Revokes the token of a login. A token that the service does not know counts as revoked.
 * @throws Error when the service cannot be reached or refuses.
 */
export async function revokeLogin(service: string, { token }: Login): Promise<void> {
  const [, payload = ''] = token.split('.');
  const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { jti?: string };
  await askService(service, 'DELETE', `/v1/users/me/tokens/${jti}`, { token }).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
  });
}
