import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import type { WatchRow } from '../state/watches/records.ts';
import { eventNow } from './event.ts';
import type { WatchRecord } from './schema.ts';
import type { WatchSubject } from './subject.ts';

const WATCH_ID = /^watch_[a-z2-7]{26}$/;

const iso = (ms: number) => new Date(ms).toISOString();

const standingOf = ({ id, status, createdAt, about, fields, callback, release, toldAt }: WatchRow) => ({
  watch_id: id,
  status,
  created_at: iso(createdAt),
  ...about,
  fields: [...fields],
  callback,
  release,
  told_at: toldAt === null ? null : iso(toldAt),
});

/** GET /v1/watches: the account's watches, newest first. Free. @throws ServiceError list_cursor_invalid. */
export async function listWatches(ctx: Ctx, services: ListServices, query: ListQuery) {
  const { rows, next_cursor } = await listPage(ctx, services, 'watches', query, (account, part) =>
    ctx.state.watches.list(account, part),
  );
  return { watches: rows.map(standingOf), next_cursor };
}

/** GET /v1/watches/{watch_id}. Free. @throws ServiceError watch_not_found, also for those of others. */
export async function readWatch(ctx: Ctx, id: string): Promise<WatchRecord> {
  const watch = WATCH_ID.test(id) ? await ctx.state.watches.watch(accountOf(ctx).id, id) : null;
  if (!watch) throw new ServiceError('watch_not_found');
  const subject = JSON.parse(watch.subject) as WatchSubject;
  const told = await ctx.state.watches.lastEvent(id);
  const since = ctx.engine.withheldSince();
  return {
    ...standingOf(watch),
    parcel_ids: subject.of === 'parcels' ? subject.parcels.map(parcel => parcel.id) : null,
    search: subject.of === 'search' ? { filters: [...subject.filters] } : null,
    last_event: told && eventNow(told.payload, told.deliveries[0]!.createdAt, since),
    deliveries: told?.deliveries.map(({ channel, status, error }) => ({ channel, status, error })) ?? [],
  };
}

/** DELETE /v1/watches/{watch_id}: nothing more is told, nor what waits to be. Free. @throws ServiceError watch_not_found. */
export async function deleteWatch(ctx: Ctx, id: string): Promise<void> {
  if (!WATCH_ID.test(id) || !(await ctx.state.watches.remove(accountOf(ctx).id, id)))
    throw new ServiceError('watch_not_found');
}
