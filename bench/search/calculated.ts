import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../datasets/catalog.ts';
import type { Field, Value } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Overlay, Partition } from '../../datasets/release.ts';
import { storedTypeOf } from '../../pipelines/overlay/coder.ts';
import { ColumnWriter } from '../../pipelines/overlay/columns.ts';
import { RecordWriter } from '../../pipelines/overlay/records.ts';
import { withCalculations } from '../../pipelines/release/lists.ts';
import { identified } from '../../pipelines/release/manifest.ts';
import { isAreaField } from '../../query/parcel/built-columns.ts';
import type { Reason } from '../../query/parcel/reason.ts';
import { publish } from '../../query/release/home/publish.ts';
import { withShards } from '../../query/release/home/shards.ts';
import { Store } from '../../query/release/home/store.ts';
import type { Release } from '../../query/release/open-release.ts';
import { partitionsInOrder } from '../postgis/load.ts';

/** Rows generated at once: whole pages of the row store. */
const BLOCK = 2048;
/** Of a thousand runs of neighbours, how many have no value. */
const ABSENT = 120;
/** Parcels that lie in one area and share what is said of it. */
const RUN = 64;
/** Greatest of the made-up numbers. */
export const GREATEST = 1000;

/** What an overlay of the bench says that it was computed from. */
const MADE_UP = 'made up for the bench';
const COMPUTED_AT = '2026-01-01T00:00:00.000Z';
const reason = (status: 'ok' | 'absent', notes: readonly string[]): Reason => ({
  status,
  notes,
  confidence: 'low',
  source: 'plat_synthetic',
  sourceUrl: null,
  vintage: '2026',
});
/** By code. */
const REASONS = [reason('ok', [MADE_UP]), reason('absent', [`${MADE_UP}: no value here`])];

/** 32 bits of two numbers, evenly spread (finaliser of MurmurHash3). */
export function mixed(a: number, b: number): number {
  let h = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A value as a calculation might yield it: every second field says the same of neighbours, the others differ. */
function madeUp({ type }: Field, number: number, ord: number): Value {
  const bits = mixed(number, number % 2 ? ord : Math.floor(ord / RUN));
  switch (storedTypeOf(type)) {
    case 'number':
      return (bits % (10 * GREATEST)) / 10;
    case 'integer':
      return bits % GREATEST;
    case 'boolean':
      return bits % 5 === 0;
    case 'string':
      return type === 'string' ? `class ${bits % 12}` : `20${10 + (bits % 15)}-0${1 + (bits % 9)}-15`;
  }
}

/** Fields that stand in columns of their own: not those looked up by an area's key, whose tables the release lacks. */
export const CALCULATED: readonly Field[] = [...catalog.fields.values()].filter(
  field => !isAreaField(field) && !Object.hasOwn(PARCEL_ATTRIBUTES, field.name),
);

async function overlayOf(dataset: string, partition: Partition, store: Store, folder: string): Promise<Overlay> {
  const numbers = CALCULATED.flatMap((field, number) => (field.dataset === dataset ? [number] : []));
  const fields = numbers.map(number => CALCULATED[number]!);
  const types = fields.map(field => storedTypeOf(field.type));
  const [columnsPath, recordsPath] = [join(folder, 'columns.parquet'), join(folder, 'overlay.records')];
  const specs = fields.flatMap(({ name }, i) => [
    { name, type: types[i]! },
    { name: `${name}:code`, type: 'codes' as const },
  ]);
  const columns = await ColumnWriter.create(columnsPath, specs);
  const records = new RecordWriter(recordsPath, types);
  try {
    for (let first = 0; first < partition.rows; first += BLOCK) {
      const count = Math.min(BLOCK, partition.rows - first);
      const made = fields.map((field, i) => {
        const codes = new Uint32Array(count);
        const values: Value[] = [];
        for (let k = 0; k < count; k++) {
          const ord = first + k;
          codes[k] = mixed(7919 + numbers[i]!, Math.floor(ord / RUN)) % 1000 < ABSENT ? 1 : 0;
          values.push(codes[k] ? null : madeUp(field, numbers[i]!, ord));
        }
        return { codes, values };
      });
      await columns.add(
        made.flatMap(({ codes, values }) => [values, Array.from(codes)]),
        count,
      );
      records.add(made, count);
    }
    const rows = await columns.finish(new Map(fields.map(({ name }) => [name, REASONS])), COMPUTED_AT);
    records.finish({
      computedAt: COMPUTED_AT,
      fields: fields.map(({ name }, i) => ({ name, type: types[i]!, reasons: REASONS })),
    });
    const staged = [
      { role: 'columns', path: columnsPath, rows },
      { role: 'records', path: recordsPath, rows },
    ] as const;
    const files = [];
    for (const file of staged) files.push(await store.adopt(file));
    return { inputs: MADE_UP, fields: fields.map(({ name }) => name), files };
  } finally {
    columns.close();
    records.close();
  }
}

/**
 * Publishes the release again with made-up values of every calculation that has a column of its own, beside their codes,
 * in the files that the overlay writes. Computing them for as many parcels would take hours, and how fast they are
 * searched does not depend on what they say.
 */
export async function addCalculated(home: string, release: Release): Promise<void> {
  const held = Object.values(release.manifest.overlays ?? {}).flatMap(own => Object.values(own));
  if (held.some(({ inputs }) => inputs === MADE_UP)) return;
  const store = new Store(home);
  const overlays: Record<string, Record<string, Overlay>> = {};
  for (const partition of partitionsInOrder(release)) {
    const own: Record<string, Overlay> = {};
    for (const dataset of [...new Set(CALCULATED.map(field => field.dataset))].sort()) {
      const folder = join(await store.stage(), dataset);
      mkdirSync(folder, { recursive: true });
      own[dataset] = await overlayOf(dataset, partition, store, folder);
      rmSync(folder, { recursive: true, force: true });
    }
    overlays[partition.files.find(file => file.role === 'features')!.sha256] = own;
  }
  const manifest = identified(withCalculations(release.manifest, overlays));
  await publish(store.releases, await withShards(store, manifest));
}
