import { randomFrom } from '../proximity/roads.ts';

/** What the accounts of a soak ask: the same questions again and again, whose answers on a quiet server are known. */
export interface Question {
  /** For reports. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Whether it is asked with an Idempotency-Key, and again until it is answered. */
  readonly keyed?: boolean;
}

/** West, south, east, north. */
export type Box = readonly [number, number, number, number];

const STATE = { field: 'state', op: 'eq', value: 'ME' };

/**
 * Fetches, batches, searches, enrichments, lookups and questions in plain language about places of an area.
 * @param fields that the catalog charges one by one.
 */
export function questionsOf([west, south, east, north]: Box, fields: readonly string[], seed = 26): Question[] {
  const random = randomFrom(seed);
  const place = () => ({
    lat: south + (0.1 + 0.8 * random()) * (north - south),
    lng: west + (0.1 + 0.8 * random()) * (east - west),
  });
  const some = (count: number) => Array.from({ length: count }, () => fields[Math.floor(random() * fields.length)]!);
  const names = (count: number) => [...new Set(some(count))];
  const square = () => {
    const { lat, lng } = place();
    const [w, s, e, n] = [lng - 0.01, lat - 0.01, lng + 0.01, lat + 0.01];
    return {
      type: 'Polygon',
      coordinates: [
        [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ],
      ],
    };
  };
  const many = (count: number, make: (i: number) => Omit<Question, 'method' | 'name'>) =>
    Array.from({ length: count }, (_, i) => {
      const made = make(i);
      return { name: `${made.path} ${i}`, method: 'POST' as const, ...made };
    });
  return [
    ...many(16, () => ({ path: '/v1/fetch', body: { ...place(), fields: names(5) } })),
    ...many(10, () => ({
      path: '/v1/fetch/batch',
      body: { locations: Array.from({ length: 5 }, place), fields: names(4) },
      keyed: true,
    })),
    ...many(6, () => ({
      path: '/v1/search',
      body: { filters: [STATE, { field: 'acreage', op: 'gt', value: random() * 3 }], limit: 20 },
    })),
    ...many(6, () => ({
      path: '/v1/search',
      body: { filters: [STATE, { field: 'geometry', op: 'intersects', value: square() }], limit: 20 },
    })),
    ...many(6, () => ({ path: '/v1/enrich', body: place() })),
    ...many(6, () => {
      const { lat, lng } = place();
      return { path: '/v1/lookup', body: { input: `${lat},${lng}` } };
    }),
    ...many(4, () => ({ path: '/v1/ask', body: { question: 'How steep is it, and does it flood?', ...place() } })),
  ];
}

/** Keys whose values differ from one asking to the next, and say nothing of the answer. */
const PASSING = new Set(['fetched_at', 'answered_at', 'request_id', 'replayed', 'cursor', 'next_cursor', 'elapsed_ms']);

/** An answer without what passes, as text to be compared. */
export const comparable = (answer: unknown): string =>
  JSON.stringify(answer, (key, value) => (PASSING.has(key) ? undefined : value));

/** How answers say that part of them could not be had in time; the last one is a lookup's. */
const INCOMPLETE = [
  '"status":"failed"',
  '"status":"partial"',
  '"status":"unavailable"',
  '"parcel_unavailable_reason":"the time for this request was up"',
];

/** Whether part of an answer could not be had in time, which it says. */
export const isIncomplete = (text: string): boolean => INCOMPLETE.some(said => text.includes(said));
