import { createSeal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import type { ListPlace } from '../state/lists/list-place.ts';

/** Seconds a cursor lives. */
const CURSOR_SECONDS = 3600;

/** What is listed. */
export type ListName = 'runs' | 'field requests';

/** Makes and judges the cursors of an account's lists, which are encrypted and authenticated. */
export interface ListCursors {
  issue(account: string, list: ListName, after: ListPlace): string;
  /** @returns after what to go on, or in words why not. */
  judge(account: string, list: ListName, cursor: string): ListPlace | string;
}

interface Claims extends ListPlace {
  readonly list: ListName;
  readonly sub: string;
  /** Epoch seconds. */
  readonly exp: number;
}

/** @param secret at least 32 characters. */
export function createListCursors(secret: string, clock: Clock): ListCursors {
  const seal = createSeal(secret, 'plat list cursor');
  const now = () => Math.floor(clock.now() / 1000);
  return {
    issue(sub, list, { createdAt, id }) {
      const claims: Claims = { list, sub, createdAt, id, exp: now() + CURSOR_SECONDS };
      return seal.close(JSON.stringify(claims));
    },
    judge(account, list, cursor) {
      const text = seal.open(cursor);
      if (text === null) return 'it is not one that this service made';
      const { sub, exp, createdAt, id, list: of } = JSON.parse(text) as Claims;
      if (sub !== account) return 'it belongs to another account';
      if (exp <= now()) return 'it has expired';
      if (of !== list) return `it goes on with ${of}`;
      return { createdAt, id };
    },
  };
}
