import { Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import type { Tools } from '../source-reader.ts';

/** An answer of a service. One of 200 may report an error. */
export interface Said {
  readonly error?: Complaint | string | null;
  /** A service that is not started, and some proxies, say their errors so. */
  readonly status?: string;
  readonly code?: number | string;
  readonly messages?: readonly string[] | null;
}

interface Complaint {
  readonly code?: number | string;
  readonly message?: string | null;
  readonly details?: readonly string[] | string | null;
}

/** The service does not do what it was asked: it says so, or its answer holds something else. Another way may lead there. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The service takes no question in an address, or none as long. */
export class Unaddressed extends Refused {}

/** Codes of ArcGIS for a token that is missing, wrong or expired. */
const TOKEN_CODES = [401, 403, 498, 499];

const TOKEN_ADVICE = 'give a token for its host in PLAT_ARCGIS_TOKENS';

const oneLine = ({ message, details }: Complaint) =>
  [message, ...[details ?? []].flat()].filter(text => text).join(': ') || 'no reason';

function complaintOf({ error, status, code = 500, messages }: Said): Complaint | null {
  if (typeof error === 'string') return { message: error };
  return error ?? (status === 'error' ? { code, details: messages ?? [] } : null);
}

/** @throws Passing for errors of the service itself, Refused for what it does not do, AcquireError for what it may not. */
function requireAnswer(url: string, answer: Said): void {
  const complaint = complaintOf(answer);
  if (!complaint) return;
  const code = Number(complaint.code ?? 0);
  const said = `the service says ${code}: ${oneLine(complaint)}`;
  // ArcGIS Online says in words alone how long to wait.
  const [, seconds] = /retry after (\d+) sec/i.exec(said) ?? [];
  if (code === 429 || code >= 500) throw new Passing(said, seconds === undefined ? null : Number(seconds) * 1000);
  if (TOKEN_CODES.includes(code)) throw new AcquireError('forbidden', url, `${said}; ${TOKEN_ADVICE}`);
  if (code === 404 || /\binvalid url\b/i.test(said)) throw new AcquireError('gone', url, said);
  throw new Refused(said);
}

/** One try. Older servers answer 400 where newer ones say an error of that code. @param form is posted. */
export async function answer<T extends object>(
  url: string,
  target: string,
  { client, signal }: Tools,
  form?: URLSearchParams,
): Promise<T> {
  const said = (await client.jsonOnce(target, signal, form).catch((error: unknown) => {
    if (!(error instanceof AcquireError)) throw error;
    const { status } = error;
    if ([405, 414, 431].includes(status ?? 0)) throw new Unaddressed(error.message);
    if ([400, 501].includes(status ?? 0)) throw new Refused(error.message);
    if ([401, 498, 499].includes(status ?? 0))
      throw new AcquireError('forbidden', url, `answered ${status}; ${TOKEN_ADVICE}`, status);
    throw error;
  })) as T | null;
  if (said === null || typeof said !== 'object') throw new Refused('its answer is no object of JSON');
  requireAnswer(url, said as Said);
  return said;
}
