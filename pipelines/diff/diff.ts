import { join } from 'node:path';
import { catalog } from '../../datasets/catalog.ts';
import type { Manifest, Overlay, Partition } from '../../datasets/release.ts';
import { openSource } from '../../ingest/format.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { type Row, rowsOf, textOf } from './rows.ts';

/** How the rows of one layer differ between two releases. */
interface LayerDiff {
  readonly dataset: string;
  readonly layer: string;
  readonly added: number;
  readonly removed: number;
  /** Of layers with a key: rows of the same key with other values or another shape. */
  readonly changed: number;
}

/** One value of one parcel that differs. */
export interface FieldChange {
  readonly parcel: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface DiffOptions {
  readonly releases: string;
  /** Two letters: partitions of this state alone, and of the nation. */
  readonly state?: string | undefined;
  /** Attributes and calculations of parcels whose values are compared one by one. */
  readonly fields: readonly string[];
  readonly change: (change: FieldChange) => void;
}

const idOf = (partition: Partition, isParcels: boolean) =>
  isParcels ? partition.key : `${partition.key} ${partition.place}`;

const contentOf = (partition: Partition | undefined) =>
  partition?.files
    .filter(({ role }) => role === 'features' || role === 'rows' || role === 'raster')
    .map(({ sha256 }) => sha256)
    .join();

/** Column that tells rows apart from release to release; null where nothing does. */
function keyOf(dataset: string, layer: string): string | null {
  if (dataset === PARCELS.dataset && layer === PARCELS.layer) return 'parcel_key';
  const found = catalog.datasets.get(dataset)?.layers[layer];
  if (found?.kind === 'table') return found.key.column;
  return found?.kind === 'vector' ? found.joinKey : null;
}

/** Rows by key; what has none, or shares one, is told apart by its content. */
async function keyed(rows: AsyncIterable<Row>, key: string | null): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const times = new Map<string, number>();
  for await (const row of rows) {
    const text = textOf(row);
    const value = key === null ? null : (row.values[key] ?? null);
    let name = value === null ? `=${text}` : `:${String(value)}`;
    if (value !== null && found.has(name)) name = `=${text}`;
    const n = times.get(name) ?? 0;
    times.set(name, n + 1);
    found.set(n === 0 ? name : `${name} ${n}`, text);
  }
  return found;
}

/**
 * What differs between two releases of a home, layer by layer; partitions of the same content are not read.
 * @throws ReadError where a file of either cannot be read.
 */
export async function diffReleases(a: Manifest, b: Manifest, options: DiffOptions): Promise<LayerDiff[]> {
  const { releases, state } = options;
  const out: LayerDiff[] = [];
  const names = new Set(
    [a, b].flatMap(({ datasets }) =>
      Object.entries(datasets).flatMap(([dataset, layers]) => Object.keys(layers).map(layer => `${dataset}:${layer}`)),
    ),
  );
  for (const name of [...names].sort()) {
    const [dataset, layer] = name.split(':') as [string, string];
    const isParcels = dataset === PARCELS.dataset && layer === PARCELS.layer;
    const isWanted = ({ key }: Partition) => state === undefined || key === 'US' || key.split('/')[0] === state;
    const of = ({ datasets }: Manifest) =>
      new Map(
        (datasets[dataset]?.[layer]?.partitions ?? []).filter(isWanted).map(p => [idOf(p, isParcels), p] as const),
      );
    const [was, now] = [of(a), of(b)];
    let [added, removed, changed] = [0, 0, 0];
    for (const id of new Set([...was.keys(), ...now.keys()])) {
      const [before, after] = [was.get(id), now.get(id)];
      if (isParcels) await compareFields(a, b, before, after, options);
      if (contentOf(before) === contentOf(after)) continue;
      const isRaster = (after ?? before)!.files.some(({ role }) => role === 'raster');
      if (isRaster) {
        if (before && after) changed++;
        else if (after) added++;
        else removed++;
        continue;
      }
      const key = keyOf(dataset, layer);
      const [old, fresh] = [await keyed(rowsOf(releases, before), key), await keyed(rowsOf(releases, after), key)];
      for (const [row, text] of fresh) {
        if (!old.has(row)) added++;
        else if (old.get(row) !== text) changed++;
      }
      for (const row of old.keys()) if (!fresh.has(row)) removed++;
    }
    if (added + removed + changed > 0) out.push({ dataset, layer, added, removed, changed });
  }
  return out;
}

/** Parcel key → the values of some attributes and calculations, of one county. */
async function valuesOf(
  manifest: Manifest,
  partition: Partition | undefined,
  { releases, fields }: DiffOptions,
): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  const byOrd = new Map<number, Record<string, unknown>>();
  for await (const { values: row, ord } of rowsOf(releases, partition)) {
    const own = Object.fromEntries(fields.filter(field => Object.hasOwn(row, field)).map(field => [field, row[field]]));
    found.set(String(row.parcel_key), own);
    byOrd.set(ord, own);
  }
  const features = partition?.files.find(({ role }) => role === 'features');
  const overlays: Overlay[] = Object.values(manifest.overlays?.[features?.sha256 ?? ''] ?? {});
  for (const overlay of overlays) {
    const wanted = overlay.fields.filter(field => fields.includes(field));
    const columns = overlay.files.find(({ role }) => role === 'columns');
    if (wanted.length === 0 || !columns) continue;
    const source = await openSource(join(releases, columns.path), { options: {} });
    try {
      for await (const batch of source.rows())
        for (const { properties } of batch) {
          const values = byOrd.get(Number(properties.ord));
          for (const field of wanted) if (values && Object.hasOwn(properties, field)) values[field] = properties[field];
        }
    } finally {
      await source.close();
    }
  }
  return found;
}

/** Tells old and new value of each parcel and field, of parcels that both releases have. */
async function compareFields(
  a: Manifest,
  b: Manifest,
  before: Partition | undefined,
  after: Partition | undefined,
  options: DiffOptions,
): Promise<void> {
  if (options.fields.length === 0 || !before || !after) return;
  const [old, fresh] = [await valuesOf(a, before, options), await valuesOf(b, after, options)];
  const plain = (value: unknown) => (value === undefined ? null : typeof value === 'bigint' ? Number(value) : value);
  for (const [parcel, values] of fresh) {
    const was = old.get(parcel);
    if (!was) continue;
    for (const field of options.fields) {
      const [x, y] = [plain(was[field]), plain(values[field])];
      if (JSON.stringify(x) !== JSON.stringify(y)) options.change({ parcel, field, before: x, after: y });
    }
  }
}
