import type { Kysely } from 'kysely';
import type { Effect } from '../jobs/queue.ts';
import { packed } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { writeEvent } from './moves.ts';
import { bodyOf, type ExampleLocation } from './row.ts';

/** Requests handled in one round; the next round handles others. */
const PORTION = 500;

/** Work on requests that depends on their age. */
export interface Upkeep {
  /** Effect: removes addresses from requests settled by then. Coordinates, and how they were found, stay. */
  scrubbed(settledBy: number, now: number): Promise<Effect>;
  /** Ids of requests that have waited for their requester at least since then. */
  unanswered(since: number): Promise<string[]>;
}

/** The parts of a filed body that hold places. */
interface Filed {
  readonly example_locations: readonly { readonly address?: unknown }[];
}

/** Upkeep over any Kysely database. */
export function upkeepIn(db: Kysely<Tables>): Upkeep {
  return {
    async scrubbed(settledBy, now) {
      const due = await db
        .selectFrom('field_requests')
        .select(['id', 'body', 'locations'])
        .where('scrubbed_at', 'is', null)
        .where('settled_at', '<=', settledBy)
        .orderBy('settled_at')
        .limit(PORTION)
        .execute();
      const rows = await Promise.all(
        due.map(async ({ id, body, locations }) => {
          const kept = await bodyOf<Filed>(body);
          const sent = kept.example_locations.map(({ address: _, ...rest }) => rest);
          const resolved = (JSON.parse(locations) as ExampleLocation[]).map(({ resolved_address: _, ...rest }) => rest);
          return {
            id,
            body: await packed(JSON.stringify({ ...kept, example_locations: sent })),
            locations: JSON.stringify(resolved),
          };
        }),
      );
      return async tx => {
        for (const { id, ...rest } of rows)
          await tx
            .updateTable('field_requests')
            .set({ ...rest, scrubbed_at: now })
            .where('id', '=', id)
            .execute();
      };
    },
    async unanswered(since) {
      const rows = await db
        .selectFrom('field_requests')
        .innerJoin('field_request_events', 'request_id', 'id')
        .select('id')
        .where('status', '=', 'awaiting_confirm')
        .where('to_status', '=', 'awaiting_confirm')
        .groupBy('id')
        .having(eb => eb.fn.max('at'), '<=', since)
        .limit(PORTION)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** Effect of a background job that failed for good: the request keeps its state and waits for an operator. */
export const stuck =
  (id: string, at: 'screening' | 'publishing', reason: string, now: number): Effect =>
  async tx => {
    const from = at === 'screening' ? (['received', 'screening'] as const) : (['publishing'] as const);
    const before = await tx.selectFrom('field_requests').select('status').where('id', '=', id).executeTakeFirst();
    const row = await tx
      .updateTable('field_requests')
      .set({ status: at, waiting_on: 'operator', updated_at: now })
      .where('id', '=', id)
      .where('status', 'in', from)
      .returning('id')
      .executeTakeFirst();
    if (row) await writeEvent(tx, { id, from: before!.status, to: at, by: 'plat', reason, now });
  };
