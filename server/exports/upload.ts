import { randomBytes } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { PARTS } from '../state/exports/pieces.ts';
import type { UploadRow } from '../state/exports/uploads.ts';
import type { UploadForm } from './intake/forms.ts';
import { MOST_BYTES, MOST_ROWS, UPLOAD_KEPT_MS } from './limits.ts';
import type { UploadAccepted } from './schema.ts';
import type { ExportThreads } from './threads.ts';

const UPLOAD_ID = /^upl_[0-9a-f]{32}$/;

/** The refusal of an upload that is too large. */
export const tooLarge = (): ServiceError =>
  new ServiceError('upload_too_large', { rows: MOST_ROWS, megabytes: MOST_BYTES / 1024 / 1024 });

/**
 * POST /v1/uploads: stores a list of places for a day.
 * @throws ServiceError upload_invalid with row and column, upload_too_large.
 */
export async function storeUpload(
  ctx: Ctx,
  threads: ExportThreads,
  form: UploadForm,
  bytes: Uint8Array,
): Promise<UploadAccepted> {
  const { id: accountId } = accountOf(ctx);
  const read = await threads.takeIn(form, bytes);
  if ('tooMany' in read) throw tooLarge();
  if ('problem' in read) {
    const { row, column, problem } = read;
    throw new ServiceError(
      'upload_invalid',
      { row, column: column === null ? '' : `, column \`${column}\``, problem },
      { row, column },
    );
  }
  const { kind, rows, columns, parts } = read;
  const now = ctx.clock.now();
  const id = `upl_${randomBytes(16).toString('hex')}`;
  const expiresAt = now + UPLOAD_KEPT_MS;
  // It comes first, so that rows are deleted with it where the rest of them cannot be stored. Nobody knows its id before.
  await ctx.state.uploads.add({ id, accountId, kind, rows, columns, createdAt: now, expiresAt });
  for (const [number, part] of parts.entries())
    await ctx.state.pieces.keep({ accountId, owner: id, name: PARTS, number, bytes: part });
  return { upload_id: id, rows, columns: [...columns], expires_at: new Date(expiresAt).toISOString() };
}

/** An upload of the account. @throws ServiceError upload_not_found, also for those of others. */
export async function uploadOf(ctx: Ctx, id: string): Promise<UploadRow> {
  const found = UPLOAD_ID.test(id) ? await ctx.state.uploads.upload(accountOf(ctx).id, id, ctx.clock.now()) : null;
  if (!found) throw new ServiceError('upload_not_found');
  return found;
}
