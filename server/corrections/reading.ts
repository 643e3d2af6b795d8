import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import type { CorrectionRow } from '../state/corrections/row.ts';
import type { CorrectionList, CorrectionRecord } from './schema.ts';

const CORRECTION_ID = /^cor_[a-z2-7]{26}$/;

/** The unit of a field; null without one, and for a name that this build does not know. */
const unitOf = (catalog: Catalog, name: string): string | null =>
  catalog.fields.get(name)?.unit ?? enrichCatalogOf(catalog).fields.get(name)?.unit ?? null;

/** A correction as its filer reads it. */
export const recordOf = (catalog: Catalog, row: CorrectionRow): CorrectionRecord => ({
  correction_id: row.id,
  status: row.status,
  field: row.field,
  value: row.value,
  unit: unitOf(catalog, row.field),
  place: { ...row.place },
  evidence: { ...row.evidence },
  source_says: { ...row.said },
  reason: row.reason,
  created_at: new Date(row.createdAt).toISOString(),
  updated_at: new Date(row.updatedAt).toISOString(),
});

/** GET /v1/corrections/{correction_id}. Free. @throws ServiceError correction_not_found, also for another account's. */
export async function readCorrection(ctx: Ctx, id: string): Promise<CorrectionRecord> {
  const row = CORRECTION_ID.test(id) ? await ctx.state.corrections.correctionOf(accountOf(ctx).id, id) : null;
  if (!row) throw new ServiceError('correction_not_found');
  return recordOf(ctx.catalog, row);
}

/** GET /v1/corrections: the account's corrections, newest first. Free. @throws ServiceError list_cursor_invalid. */
export async function listCorrections(ctx: Ctx, services: ListServices, query: ListQuery): Promise<CorrectionList> {
  const { rows, next_cursor } = await listPage(ctx, services, 'corrections', query, (account, part) =>
    ctx.state.corrections.listOf(account, part),
  );
  return { corrections: rows.map(row => recordOf(ctx.catalog, row)), next_cursor };
}
