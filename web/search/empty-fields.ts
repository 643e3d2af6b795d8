import { useEffect, useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import type { FieldMeta } from '../api/field.ts';
import { ask } from '../api/request.ts';
import type { Filter } from './filter.ts';

/** Below every number that a field has. */
const LEAST = -1e15;

/** The condition that every value of a field passes. */
function anyValue({ name, type }: FieldMeta): Filter {
  if (type === 'boolean') return { field: name, op: 'in', value: [true, false] };
  if (type === 'number' || type === 'integer') return { field: name, op: 'gte', value: LEAST };
  if (type === 'date') return { field: name, op: 'gte', value: '0001-01-01' };
  if (type === 'timestamp') return { field: name, op: 'gte', value: '0001-01-01T00:00:00Z' };
  return { field: name, op: 'ne', value: '' };
}

interface Page {
  readonly matches: readonly unknown[];
  readonly status: string;
}

/**
 * Tells why a search found nothing: titles of those fields that no parcel of the state has a value of. Each takes a
 * search of its own, which is free.
 * @param filters of the search; null or none asks nothing. @param state two letters.
 */
export function useEmptyFields(filters: readonly Filter[] | null, state: string, catalog: Catalog | null): string[] {
  const [titles, setTitles] = useState<string[]>([]);
  const names = [...new Set(filters?.map(({ field }) => field))];
  useEffect(() => {
    setTitles([]);
    const gone = new AbortController();
    const look = async () => {
      for (const name of names) {
        // Every parcel lies in a county, and a condition on it must name one.
        if (name === 'county') continue;
        const meta = catalog?.fields.get(name);
        if (!meta) continue;
        const request: ApiRequest = {
          method: 'POST',
          path: '/v1/search',
          body: { filters: [{ field: 'state', op: 'eq', value: state }, anyValue(meta)], limit: 1 },
        };
        const { matches, status } = await ask<Page>(request, gone.signal);
        if (matches.length === 0 && status === 'complete') setTitles(before => [...before, meta.title]);
      }
    };
    // What cannot be told is not said.
    look().catch(() => {});
    return () => gone.abort();
  }, [names.join(), state, catalog]);
  return titles;
}
