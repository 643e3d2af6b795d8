import { readdirSync } from 'node:fs';
import { type Dataset, FIELD_LAYERS, type Field, type Layer } from './dataset.ts';
import { columnsOf } from './grammar/condition.ts';
import { columnsRead, type Expression } from './grammar/expression.ts';
import { precisionOf } from './precision.ts';

/** Everything the service can answer, built from the files of datasets/products. */
export interface Catalog {
  readonly datasets: ReadonlyMap<string, Dataset>;
  /** In catalog order: layer, then dataset id, then the dataset file's own order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Preset → field names in the preset's order. */
  readonly presets: ReadonlyMap<string, readonly string[]>;
  /** Fields whose expression reads the parcel, directly or through an input. They are charged as one group. */
  readonly parcelRecord: ReadonlySet<string>;
}

/** The fifteen fetch presets, in the order in which the interface lists them. */
export const FETCH_PRESETS = [
  'terrain',
  'flood_risk',
  'wildfire_underwrite',
  'land_cover',
  'site_selection',
  'building_lookup',
  'points_of_interest',
  'utilities',
  'boundaries',
  'solar_siting',
  'wind_siting',
  'storage_siting',
  'data_center_siting',
  'grid_interconnect',
  'natural_hazard',
] as const;

const PARCEL_ARGUMENTS = ['@area_m2', '@match_type', '@match_distance_m'];

/** The layer an expression source names. @throws Error when the dataset or layer is not in the catalog. */
export function layerOf(datasets: ReadonlyMap<string, Dataset>, dataset: string, layer: string): Layer {
  const found = datasets.get(dataset)?.layers[layer];
  if (!found)
    throw new Error(`No layer ${dataset}:${layer} in the catalog; datasets: ${[...datasets.keys()].join(', ')}`);
  return found;
}

/** Calls `visit` for an expression and every call nested in its inputs. */
export function walk(expression: Expression, visit: (call: Expression) => void): void {
  visit(expression);
  for (const input of Object.values(expression.inputs)) if ('op' in input) walk(input, visit);
}

/** Names of the fields an expression takes as inputs (`@name`), at any depth of its own calls. */
export function inputFields(expression: Expression): string[] {
  const names: string[] = [];
  walk(expression, call => {
    for (const input of Object.values(call.inputs)) if ('field' in input) names.push(input.field);
  });
  return names;
}

/**
 * Builds and checks a catalog: names are unique, every source, column, input field and preset exists, inputs never
 * loop.
 * @param files what messages call each dataset of the list: the path of its file.
 * @throws Error naming the field and what it lacks.
 */
export function buildCatalog(list: readonly Dataset[], files: readonly string[] = list.map(d => d.id)): Catalog {
  const datasets = new Map(list.map(d => [d.id, d]));
  const filesWith = (has: (dataset: Dataset) => boolean) => files.filter((_, i) => has(list[i]!)).join(' and ');
  const twin = list.find((d, i) => list.findIndex(({ id }) => id === d.id) !== i);
  if (twin) throw new Error(`${filesWith(d => d.id === twin.id)} have the id ${twin.id}: give it to one of them alone`);
  const precise = (field: Field): Field => ({ ...field, precision: precisionOf(field, datasets) });
  const declared = list.flatMap(d => d.fields.map(precise));
  const all = declared.sort((a, b) => FIELD_LAYERS.indexOf(a.layer) - FIELD_LAYERS.indexOf(b.layer));
  const fields = new Map(all.map(f => [f.name, f]));
  const shared = all.find(f => fields.get(f.name) !== f);
  if (shared) {
    const both = filesWith(d => d.fields.some(({ name }) => name === shared.name));
    throw new Error(`${both} define the field ${shared.name}: give it another name in one of them`);
  }

  const check = (field: Field) =>
    walk(field.expression, call => {
      for (const source of call.sources) {
        const layer = layerOf(datasets, source.dataset, source.layer);
        if (layer.kind === 'raster') continue;
        for (const column of [...columnsRead(call), ...columnsOf(source.where)])
          if (!layer.columns[column])
            throw new Error(`${field.name}: ${source.dataset}:${source.layer} has no column ${column}`);
      }
      if (call.op === 'parcel_attr' && !PARCEL_ARGUMENTS.includes(call.argument!)) {
        const layer = layerOf(datasets, 'parcel_store', 'main');
        if (layer.kind !== 'vector' || !layer.columns[call.argument!])
          throw new Error(`${field.name}: no parcel attribute ${call.argument}`);
      }
      for (const name of inputFields(call))
        if (!fields.has(name)) throw new Error(`${field.name}: input @${name} is no field`);
    });
  all.forEach(check);

  const parcelRecord = new Set<string>();
  const readsParcel = (name: string, path: readonly string[]): boolean => {
    if (path.includes(name)) throw new Error(`Fields depend on each other in a loop: ${[...path, name].join(' → ')}`);
    const { expression } = fields.get(name)!;
    let reads = false;
    walk(expression, call => {
      reads ||= call.op === 'parcel_attr' || call.options.over === 'parcel';
    });
    for (const input of inputFields(expression)) if (readsParcel(input, [...path, name])) reads = true;
    return reads;
  };
  for (const name of fields.keys()) if (readsParcel(name, [])) parcelRecord.add(name);

  const presets = new Map<string, string[]>();
  for (const preset of FETCH_PRESETS) {
    const members = all.filter(f => f.presets?.[preset] !== undefined);
    presets.set(
      preset,
      members.sort((a, b) => a.presets![preset]! - b.presets![preset]!).map(f => f.name),
    );
  }
  for (const field of all)
    for (const preset of Object.keys(field.presets ?? {}))
      if (!presets.has(preset)) throw new Error(`${field.name}: no preset ${preset}`);
  return { datasets, fields, presets, parcelRecord };
}

/** Imports every dataset file of a folder, so that a new file needs no other change. */
async function load(folder: URL): Promise<Catalog> {
  const files = readdirSync(folder)
    .filter(name => /^[a-z0-9-]+\.(ts|js)$/.test(name))
    .sort();
  const modules = await Promise.all(
    files.map(name => import(new URL(name, folder).href) as Promise<{ default: Dataset }>),
  );
  return buildCatalog(
    modules.map(m => m.default),
    files.map(name => `datasets/products/${name}`),
  );
}

/** The catalog of this build. */
export const catalog: Catalog = await load(new URL('./products/', import.meta.url));
