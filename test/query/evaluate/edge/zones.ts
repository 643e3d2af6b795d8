import { buildCatalog, type Catalog } from '../../../../datasets/catalog.ts';
import type { ConfidenceRule, VectorLayer } from '../../../../datasets/dataset.ts';
import type { Partition } from '../../../../datasets/release.ts';
import type { Context } from '../../../../query/evaluate/context.ts';
import { dataset } from '../../release-fixture.ts';

export const rule = (text: object) => text as ConfidenceRule;
export const EDGE = rule({ kind: 'edge_m', metres: 30 });
export const HIGH = rule({ kind: 'const', level: 'high' });
export const MEDIUM = rule({ kind: 'const', level: 'medium' });

export const layer = (more: Partial<VectorLayer> = {}): VectorLayer => ({
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'county',
  columns: {
    zone: { type: 'string', unknown: ['N/A'] },
    wet: { type: 'string', emptyIsNone: "zone = 'X'" },
    plain: { type: 'string' },
  },
  ...more,
});
export const zones = dataset('zones', {
  main: layer({ accuracyM: 12 }),
  vague: layer(),
  grid: { kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' },
});
export const parcels = (accuracyM?: number) =>
  dataset('parcel_store', { main: layer(accuracyM === undefined ? {} : { accuracyM }) });
export const catalog = buildCatalog([zones, parcels(5)]);
export const partition = (place = 'somewhere', more: Partial<Partition> = {}) =>
  ({
    place,
    files: [],
    unpublished: [],
    provenance: { source: place, url: null, vintage: null, note: null },
    ...more,
  }) as unknown as Partition;
export const source = (of = 'main') => ({ dataset: 'zones', layer: of, where: null });
export const ctxOf = (of: Catalog = catalog) => ({ catalog: of }) as Context;
