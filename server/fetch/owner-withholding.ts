import { OWNER_CALCULATION, OWNER_COLUMNS, OWNER_FIELD } from '../../datasets/parcel/owner-columns.ts';
import type { BatchEntry, BatchResult } from './batch-schema.ts';

/** What tells owners. */
const TELLING: ReadonlySet<string> = new Set([...OWNER_COLUMNS, OWNER_FIELD, OWNER_CALCULATION]);
const REASON = 'withheld: it was answered before an owner was withheld that it may name; ask again';

/** Whether one of some names tells an owner. */
export const tellsOwners = (names: readonly string[]): boolean => names.some(name => TELLING.has(name));

const withoutOwner = (entry: BatchEntry): BatchEntry => {
  const record = entry.ok ? entry.fields[OWNER_FIELD] : undefined;
  if (!entry.ok || record?.status !== 'ok') return entry;
  return {
    ...entry,
    fields: { ...entry.fields, [OWNER_FIELD]: { ...record, value: null, status: 'absent', notes: REASON } },
  };
};

/** A stored result as it may be told: without its owners where it was answered before one was withheld. @param since epoch milliseconds. */
export function withoutOwners<T extends BatchResult>(result: T, since: number): T {
  if (Date.parse(result.fetched_at) > since) return result;
  return { ...result, results: result.results.map(withoutOwner) };
}

/** The same of its JSON text. */
export const textWithoutOwners = (text: string, since: number): string =>
  text.includes(`"${OWNER_FIELD}"`) ? JSON.stringify(withoutOwners(JSON.parse(text) as BatchResult, since)) : text;
