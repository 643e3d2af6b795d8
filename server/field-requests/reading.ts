import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import type { FieldRequestRow } from '../state/field-requests/row.ts';
import { buildOf } from './building/build.ts';
import type { FieldRequestList, FieldRequestRecord } from './schema.ts';
import { inTheirWords } from './unavailable.ts';

const REQUEST_ID = /^fr_[a-z2-7]{26}$/;

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The dispositions for callers. Those to be built have the promised date, or the code of what stopped their build. */
export const dispositionOf = (row: FieldRequestRow): FieldRequestRecord['disposition'] =>
  row.disposition.map(({ values, candidates, ...entry }) => ({
    ...entry,
    ...(row.status === 'blocked' && entry.disposition === 'accepted_new' ? { code: buildOf(row).blocked?.code } : {}),
    estimated_ready_at: entry.disposition === 'accepted_new' ? isoOf(row.estimatedReadyAt) : null,
    resume: entry.resume && { ...entry.resume, body: { ...entry.resume.body } },
    ...(values ? { values: values.map(value => ({ ...value })) } : {}),
    ...(candidates ? { candidates: [...candidates] } : {}),
  }));

/** The poll body of a request. */
export function recordOf(row: FieldRequestRow): FieldRequestRecord {
  const disposition = dispositionOf(row);
  return {
    request_id: row.id,
    status: row.status,
    waiting_on: row.waitingOn,
    phase: null,
    queue_position: row.queuePosition,
    estimated_ready_at: isoOf(row.estimatedReadyAt),
    resolved_locations: row.locations.map(({ index, resolved_location, resolved_address }) => ({
      index,
      resolved_location,
      ...(resolved_address === undefined ? {} : { resolved_address }),
    })),
    disposition,
    resume: disposition.find(({ resume }) => resume !== null)?.resume ?? null,
    context_blob: row.contextBlob,
    created_at: isoOf(row.createdAt)!,
    updated_at: isoOf(row.updatedAt)!,
  };
}

/** A request of the caller's account. @throws ServiceError field_request_not_found, also for another account's. */
export async function requestOfAccount(ctx: Ctx, id: string): Promise<FieldRequestRow> {
  const row = REQUEST_ID.test(id) ? await ctx.state.fieldRequests.request(accountOf(ctx).id, id) : null;
  if (!row) throw new ServiceError('field_request_not_found');
  return row;
}

/**
 * GET /v1/field-requests/{request_id}. Free.
 * @throws ServiceError field_request_not_found, also for another account's; field_requests_unavailable.
 */
export const readFieldRequest = (ctx: Ctx, id: string): Promise<FieldRequestRecord> =>
  inTheirWords(async () => recordOf(await requestOfAccount(ctx, id)));

/**
 * GET /v1/field-requests: the account's requests, newest first, without what was sent with them. It costs nothing.
 * @throws ServiceError list_cursor_invalid; field_requests_unavailable.
 */
export function listFieldRequests(ctx: Ctx, services: ListServices, query: ListQuery): Promise<FieldRequestList> {
  return inTheirWords(async () => {
    const { rows, next_cursor } = await listPage(ctx, services, 'field requests', query, (account, part) =>
      ctx.state.fieldRequests.listOf(account, part),
    );
    const field_requests = rows.map(row => {
      const { context_blob: _, ...record } = recordOf(row);
      return record;
    });
    return { field_requests, next_cursor };
  });
}
