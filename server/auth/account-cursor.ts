import type { Clock } from '../clock.ts';
import { createSeal } from './seal.ts';

/** Lifetime of a cursor in seconds. */
const CURSOR_SECONDS = 3600;

/** Cursors that one account may use for an hour. They are encrypted and authenticated. */
export interface AccountCursors<T extends object> {
  issue(account: string, content: T): string;
  /** @returns the content of a cursor, or in words why it is refused. */
  open(account: string, cursor: string): T | string;
}

/**
 * Makes such cursors.
 * @param secret at least 32 characters.
 * @param purpose a cursor made for another purpose does not open.
 */
export function createAccountCursors<T extends object>(
  secret: string,
  purpose: string,
  clock: Clock,
): AccountCursors<T> {
  const seal = createSeal(secret, purpose);
  const now = () => Math.floor(clock.now() / 1000);
  return {
    issue: (sub, content) => seal.close(JSON.stringify({ ...content, sub, exp: now() + CURSOR_SECONDS })),
    open(account, cursor) {
      const text = seal.open(cursor);
      if (text === null) return 'it is not one that this service made';
      const { sub, exp, ...content } = JSON.parse(text) as T & { readonly sub: string; readonly exp: number };
      if (sub !== account) return 'it belongs to another account';
      if (exp <= now()) return 'it has expired, an hour after it was made';
      return content as unknown as T;
    },
  };
}
