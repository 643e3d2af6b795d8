import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { ListPart, ListPlace } from '../state/lists/list-place.ts';
import type { ListCursors, ListName } from './cursor.ts';
import { DEFAULT_LIMIT, type ListQuery } from './schema.ts';

/** What a list works with beside the services of every request. */
export interface ListServices {
  readonly cursors: ListCursors;
}

/**
 * One page of what an account has, newest first.
 * @param read the account's entries that follow a place.
 * @throws ServiceError list_cursor_invalid; whatever reading throws.
 */
export async function listPage<Row extends ListPlace>(
  ctx: Ctx,
  { cursors }: ListServices,
  list: ListName,
  { limit, cursor }: ListQuery,
  read: (accountId: string, part: ListPart) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly next_cursor: string | null }> {
  const { id: account } = accountOf(ctx);
  const after = cursor === undefined ? null : cursors.judge(account, list, cursor);
  if (typeof after === 'string') throw new ServiceError('list_cursor_invalid', { reason: after });
  const most = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  // One more than is shown tells whether a page follows.
  const found = await read(account, { after, limit: most + 1 });
  const rows = found.slice(0, most);
  return { rows, next_cursor: found.length > most ? cursors.issue(account, list, rows.at(-1)!) : null };
}
