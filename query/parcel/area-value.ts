import type { Catalog } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import type { AreaKey } from '../evaluate/area-key.ts';
import { type Context, inPrecision, questionOf } from '../evaluate/context.ts';
import { type Finding, orFailed } from '../evaluate/finding.ts';
import { operator } from '../evaluate/operators/area-key-attr.ts';
import { Coverage, type LayerAt } from '../release/coverage.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { Memo } from '../release/maybe-promise.ts';
import { keyNameOf } from './built-columns.ts';

/** One area as the parcels of it have it stored. */
export interface StoredArea {
  /** What was found for the key. */
  readonly key: Finding;
  /** Which places' coverage of tables holds it, as `coverText` writes it. */
  readonly cover: string;
}

/** Places whose coverage of a table holds a point, as text; tables that cover everywhere are left out. */
export function coverText(tables: readonly { readonly id: string; readonly covering: readonly Partition[] }[]): string {
  const parts = tables.flatMap(({ id, covering }) => {
    const places = covering.filter(p => p.coverage !== 'everywhere').map(p => p.place);
    return places.length ? [`${id}=${[...new Set(places)].sort().join(',')}`] : [];
  });
  return parts.join(';');
}

/** The partitions of a table that count where a coverage holds, as Layers.at finds them. */
function tableAt(layers: Layers, dataset: string, layer: string, cover: string): LayerAt {
  const version = layers.version(dataset, layer);
  const id = `${dataset}:${layer}=`;
  const entry = cover.split(';').find(part => part.startsWith(id));
  const { shards = {} } = layers.release.manifest;
  const mayName = (shard: string, place: string) => shards[shard]!.places.includes(place);
  return Coverage.of(version).atPlaces(entry?.slice(id.length).split(',') ?? [], mayName);
}

/** Partitions that are cited as a stored finding cites: nothing else of them is known or asked for. */
function citedBy({ citations, confidence }: Finding, notes: readonly string[]): Partition[] {
  return citations.flatMap(({ source, url, vintage }) =>
    (notes.length ? notes : [null]).map(note => ({
      key: 'US',
      place: '',
      rows: 0,
      box: null,
      files: [],
      coverage: 'everywhere' as const,
      provenance: {
        source,
        title: '',
        publisher: '',
        url,
        licence: '',
        vintage: vintage ?? '',
        note,
        retrievedAt: '',
        synthetic: false,
        // The key has no rule of its own: only generalised boundaries take it below `high`.
        generalised: confidence !== 'high',
      },
      unpublished: [],
    })),
  );
}

function keyOf({ key }: StoredArea): AreaKey {
  if (key.status === 'failed') {
    const [partition = null] = citedBy(key, key.notes);
    throw new Fault(key.error ?? 'the area key failed', key.retryable ?? false, partition);
  }
  const near = key.near ? { near: key.near } : {};
  if (key.status === 'ok') return { key: String(key.value), partitions: citedBy(key, key.notes), ...near };
  const [reason, ...notes] = key.notes;
  return { reason: reason ?? 'no area key', covering: citedBy(key, notes), ...near };
}

/**
 * The finding of a table's field for each of several areas: the value, status and notes that the operator
 * area_key_attr finds at a point of that area. A table that cannot be read fails its areas.
 * @param field one that is looked up by area key.
 * @throws RangeError when the catalog has no such field.
 */
export async function areaValues(
  layers: Layers,
  catalog: Catalog,
  field: string,
  areas: readonly StoredArea[],
): Promise<Finding[]> {
  const definition = catalog.fields.get(field);
  if (!definition) throw new RangeError(`No field ${field} in the catalog`);
  const { expression } = definition;
  const { dataset, layer } = expression.sources[0]!;
  const question = questionOf(definition);
  const found: Finding[] = [];
  for (const area of areas) {
    const kept = new Memo();
    const ctx: Context = {
      catalog,
      layers,
      point: { lng: Number.NaN, lat: Number.NaN },
      check() {},
      memo: (key, compute) => kept.of(key, compute),
      field: () => Promise.reject(new Error('A table lookup has no inputs')),
      call: () => Promise.reject(new Error('A table lookup has no inputs')),
    };
    // What the operator would look for at a point is known of the area.
    kept.ahead(`at ${dataset}:${layer}`, () => tableAt(layers, dataset, layer, area.cover));
    kept.ahead(`key ${keyNameOf(definition)}`, () => keyOf(area));
    found.push(inPrecision(await orFailed(() => operator.point(ctx, expression, question)), definition));
  }
  return found;
}
