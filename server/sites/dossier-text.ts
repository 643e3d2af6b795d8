import type { AreaRecord } from '../../query/engine/site/ground-task.ts';
import { csvLine } from '../formats/csv-cell.ts';
import type { Dossier } from './dossier.ts';

/** Forms of a dossier. */
export const DOSSIER_TYPES = {
  json: { mime: 'application/json; charset=utf-8', accepted: ['application/json', 'application/*', '*/*'] },
  csv: { mime: 'text/csv; charset=utf-8', accepted: ['text/csv', 'text/*'] },
  geojson: { mime: 'application/geo+json', accepted: ['application/geo+json'] },
} as const;
type DossierType = keyof typeof DOSSIER_TYPES;

/** The form that a caller prefers (RFC 9110, 12.5.1); JSON where it names none of them. */
export function preferredType(accept: string | undefined): DossierType {
  let best: { readonly type: DossierType; readonly q: number } = { type: 'json', q: 0 };
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map(word => word.trim());
    const q = Number(parameters.find(one => one.startsWith('q='))?.slice(2) ?? 1);
    for (const [type, { accepted }] of Object.entries(DOSSIER_TYPES))
      if ((accepted as readonly string[]).includes(range!) && q > best.q) best = { type: type as DossierType, q };
  }
  return best.type;
}

const COLUMNS = [
  'field',
  'status',
  'value',
  'unit',
  'area_status',
  'area_kind',
  'acres',
  'share',
  'min',
  'mean',
  'max',
  'count',
  'sum',
  'distance_m',
  'shares',
  'not_covered',
  'confidence',
  'source',
  'source_url',
  'dataset_vintage',
  'notes',
] as const;

/** What a table has of the statistics of a field. */
function cellsOf(area: AreaRecord | null): Partial<Record<(typeof COLUMNS)[number], unknown>> {
  const found = area?.statistics;
  if (!area || !found) return { area_status: area?.status ?? null };
  const said = { area_status: area.status, area_kind: found.kind };
  switch (found.kind) {
    case 'shares':
      return { ...said, shares: found.shares, not_covered: found.unmapped };
    case 'covered':
      return {
        ...said,
        acres: found.acres,
        share: found.share,
        not_covered: found.unmapped,
      };
    case 'range': {
      const { min, mean, max, classes, without_value } = found;
      return { ...said, min, mean, max, shares: classes ?? null, not_covered: without_value };
    }
    case 'count':
      return { ...said, count: found.count, not_covered: found.unmapped };
    case 'sum':
      return { ...said, sum: found.value, count: found.count, not_covered: found.unmapped };
    case 'max':
      return { ...said, max: found.value, count: found.count, not_covered: found.unmapped };
    case 'distance':
      return { ...said, distance_m: found.metres };
  }
}

/** A row for each field: what holds of the ground, and the value at the analysis point. */
function table({ records }: Dossier): string {
  const rows = Object.values(records).map(({ area, ...record }) => {
    const cells: Readonly<Record<string, unknown>> = { ...record, ...cellsOf(area) };
    return COLUMNS.map(column => cells[column] ?? null);
  });
  return [COLUMNS, ...rows].map(csvLine).join('');
}

/** The dossier of a site in a form. @param texts JSON of the dossier and of the polygon. */
export function dossierText(
  type: DossierType,
  siteId: string,
  { dossier, geometry }: { readonly dossier: string; readonly geometry: string },
): string {
  if (type === 'csv') return table(JSON.parse(dossier) as Dossier);
  const told = `{"site_id":${JSON.stringify(siteId)},${dossier.slice(1)}`;
  if (type === 'json') return told;
  return `{"type":"FeatureCollection","features":[{"type":"Feature","id":${JSON.stringify(siteId)},"geometry":${geometry},"properties":${told}}]}`;
}
