import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { tellsOwners } from '../fetch/owner-withholding.ts';
import { namesIn } from '../fetch/selection.ts';
import type { EventStream } from '../http/event-stream.ts';
import { follow, STREAM_MS } from '../jobs/follower.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import { PIECE_BYTES } from '../state/exports/pieces.ts';
import { type ExportFile, type ExportRow, exportTopic } from '../state/exports/records.ts';
import type { ExportBody } from './schema.ts';

const EXPORT_ID = /^exp_[a-z2-7]{26}$/;

/** Reads the state of the account's export. @throws ServiceError export_not_found, also for those of others. */
export async function exportStatus(ctx: Ctx, id: string): Promise<ExportRow> {
  const row = EXPORT_ID.test(id) ? await ctx.state.exports.export(accountOf(ctx).id, id, ctx.clock.now()) : null;
  if (!row) throw new ServiceError('export_not_found');
  return row;
}

const iso = (ms: number) => new Date(ms).toISOString();

const standingOf = (row: ExportRow) => ({
  export_id: row.id,
  status: row.status,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  expires_at: iso(row.expiresAt),
  progress: { done: row.done, total: Math.max(row.done, row.total) },
  counts: row.counts,
  warnings: row.warnings,
  files: row.files,
  error: row.error,
});

/** How an export stands, as callers see it. */
export type ExportStanding = ReturnType<typeof standingOf>;

/** GET /v1/exports: how the account's exports stand, newest first. Free. @throws ServiceError list_cursor_invalid. */
export async function listExports(ctx: Ctx, services: ListServices, query: ListQuery) {
  const { rows, next_cursor } = await listPage(ctx, services, 'exports', query, (account, part) =>
    ctx.state.exports.list(account, part, ctx.clock.now()),
  );
  return { exports: rows.map(standingOf), next_cursor };
}

/** GET /v1/exports/{export_id}. Free. @throws ServiceError export_not_found, also for those of others. */
export async function readExport(ctx: Ctx, id: string): Promise<ExportStanding & { readonly request: unknown }> {
  const row = await exportStatus(ctx, id);
  if (row.release !== null) ctx.release.name(row.release);
  const request = await ctx.state.exports.request(row.accountId, id, ctx.clock.now());
  if (request === null) throw new ServiceError('export_not_found');
  return { ...standingOf(row), request: JSON.parse(request) as unknown };
}

/**
 * GET /v1/exports/{export_id}/events: sends `status` on every change, then `final` once with the whole export.
 * @throws ServiceError export_not_found, before the stream opens.
 */
export const followExport = (ctx: Ctx, id: string, stream: EventStream, streamMs = STREAM_MS): Promise<void> =>
  follow(
    ctx,
    {
      topic: exportTopic(id),
      standing: () => exportStatus(ctx, id),
      text: async () => JSON.stringify(await readExport(ctx, id)),
    },
    stream,
    streamMs,
  );

/** A file of an export that can be read. */
export interface ReadableFile extends ExportFile {
  /** Its bytes from one to another, which is not read any more. @throws Error when it expires meanwhile. */
  bytesOf(start: number, end: number): AsyncGenerator<Uint8Array>;
}

/** Whether files of an export may name an owner that was withheld after it was begun. */
async function isOutdated(ctx: Ctx, { id, accountId, createdAt }: ExportRow): Promise<boolean> {
  if (createdAt > ctx.engine.withheldSince()) return false;
  const request = await ctx.state.exports.request(accountId, id, ctx.clock.now());
  return request !== null && tellsOwners(namesIn(ctx.catalog, JSON.parse(request) as ExportBody));
}

/** A file of an export. @throws ServiceError export_not_found, export_not_ready, export_failed, export_outdated. */
export async function fileOfExport(ctx: Ctx, id: string, name: string): Promise<ReadableFile> {
  const row = await exportStatus(ctx, id);
  if (row.status === 'failed') throw new ServiceError('export_failed');
  if (row.status !== 'done') throw new ServiceError('export_not_ready', { export_id: id });
  const file = row.files.find(one => one.name === name);
  if (!file) throw new ServiceError('export_not_found');
  if (await isOutdated(ctx, row)) throw new ServiceError('export_outdated');
  if (row.release !== null) ctx.release.name(row.release);
  const { pieces } = ctx.state;
  return {
    ...file,
    async *bytesOf(start, end) {
      for (let at = start; at < end; ) {
        const number = Math.floor(at / PIECE_BYTES);
        const piece = await pieces.piece(id, name, number);
        if (!piece) throw new Error(`piece ${number} of ${name} of an export is gone`);
        const from = at - number * PIECE_BYTES;
        const bytes = piece.subarray(from, from + Math.min(end - at, piece.length - from));
        if (bytes.length === 0) throw new Error(`piece ${number} of ${name} of an export is short`);
        yield bytes;
        at += bytes.length;
      }
    },
  };
}
