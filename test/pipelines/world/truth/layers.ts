import { catalog } from '../../../../datasets/catalog.ts';
import { parseCondition } from '../../../../datasets/grammar/condition.ts';
import { type Join, joinsOf, type Place, type PlaceLayer } from '../../../../datasets/place/place.ts';
import { toUtm19 } from '../../../../pipelines/world/format/crs.ts';
import type { WorldFile } from '../../../../pipelines/world/format/file.ts';
import type { Grid } from '../../../../pipelines/world/format/geotiff.ts';
import { worldFiles } from '../../../../pipelines/world/layer.ts';
import { rainfallGrid, type STORMS } from '../../../../pipelines/world/settlement/resource.ts';
import type { World } from '../../../../pipelines/world/world.ts';
import { Survey } from '../../../oracle/survey.ts';
import { flat } from '../truth.ts';
import { meets, type Row } from './condition.ts';
import { mapped } from './mapping.ts';
import { publishedRows } from './published.ts';

/** One row a key: a sum, and the value that has the most of it. */
function grouped<T extends { readonly row: Row }>(
  rows: readonly T[],
  key: string,
  { sum, of }: { sum: string; of: string },
): T[] {
  return [...new Set(rows.map(one => one.row[key]))].map(value => {
    const members = rows.filter(one => one.row[key] === value);
    const total = (some: readonly T[]) => some.reduce((all, one) => all + Number(one.row[sum]), 0);
    const parts = [...new Set(members.map(one => one.row[of]!))];
    const most = parts.reduce((a, b) => {
      const part = (name: typeof a) => total(members.filter(one => one.row[of] === name));
      return part(b) > part(a) ? b : a;
    });
    return { ...members[0]!, row: { ...members[0]!.row, [sum]: total(members), [of]: most } };
  });
}

/** The row that joins of those that share a key. */
function merged(rows: readonly Row[], { greatest, mean }: Join): Row {
  if (greatest) {
    const largest = Math.max(...rows.map(row => Number(row[greatest.of])));
    const tied = rows.filter(row => Number(row[greatest.of]) === largest);
    const lowest = Math.min(...tied.map(row => Number(row[greatest.ties])));
    return tied.find(row => Number(row[greatest.ties]) === lowest) ?? {};
  }
  if (mean) {
    // Centimetre by centimetre.
    const held: number[] = [];
    for (let depth = mean.within[0]; depth < mean.within[1]; depth++)
      for (const row of rows)
        if (row[mean.value] !== null && Number(row[mean.top]) <= depth && depth < Number(row[mean.bottom]))
          held.push(Number(row[mean.value]));
    return { [mean.value]: held.length ? held.reduce((sum, value) => sum + value, 0) / held.length : null };
  }
  return rows[0] ?? {};
}

/** The layers of the synthetic area in the normal schema, straight from the generator: no file, no reader, no index. */
export class TruthLayers {
  readonly today: string;
  readonly #world: World;
  readonly #place: Place;
  readonly #files: ReadonlyMap<string, WorldFile>;
  readonly #rows = new Map<string, { row: Row; shape: Parameters<typeof flat>[0] | null }[]>();
  readonly #surveys = new Map<string, Survey<Row>>();
  readonly #coverages = new Map<string, Survey<null>>();

  constructor(world: World, place: Place, today: string) {
    this.#world = world;
    this.#place = place;
    this.today = today;
    this.#files = new Map(worldFiles(world).map(file => [file.path, file]));
  }

  /** Place layers that fill a layer. */
  of(id: string): readonly PlaceLayer[] {
    return this.#place.layers.filter(layer => `${layer.dataset}:${layer.layer}` === id);
  }

  /** Rows of `dataset:layer`. */
  rows(id: string) {
    let rows = this.#rows.get(id);
    if (!rows) {
      rows = this.of(id).flatMap(layer => this.#read(layer));
      this.#rows.set(id, rows);
    }
    return rows;
  }

  #read(layer: PlaceLayer) {
    const definition = catalog.datasets.get(layer.dataset)!.layers[layer.layer]!;
    if (definition.kind === 'raster') throw new Error(`${layer.dataset}:${layer.layer} is a grid`);
    let published = publishedRows(this.#files.get(layer.file)!, layer.options ?? {});
    const { repeat, latest, group } = layer;
    if (repeat)
      published = published.flatMap(one =>
        meets(parseCondition(repeat.when), one.row, this.today)
          ? (repeat.codes[String(one.row[repeat.by])] ?? []).map(code => ({
              ...one,
              row: { ...one.row, [repeat.column]: code },
            }))
          : [one],
      );
    for (const join of joinsOf(layer)) {
      const side = publishedRows(this.#files.get(join.file)!, join.options ?? {}).map(({ row }) => row);
      const read = (expression: typeof join.key, row: Row) => String(mapped(expression, '', null, row, this.today));
      const groups = Map.groupBy(side, row => read(join.key, row));
      published = published.map(one => {
        const match = merged(groups.get(read(join.to, one.row)) ?? [], join);
        const named = Object.fromEntries(
          Object.entries(match).map(([name, value]) => [`${join.prefix}.${name}`, value]),
        );
        return { ...one, row: { ...one.row, ...named } };
      });
    }
    if (layer.where) published = published.filter(one => meets(parseCondition(layer.where!), one.row, this.today));
    const rows = published.map(({ row, shape }) => ({
      shape,
      row: Object.fromEntries(
        Object.entries(layer.columns).map(([name, expression]) => [
          name,
          mapped(expression, name, definition.columns[name]!, row, this.today),
        ]),
      ),
    }));
    if (group && definition.kind === 'vector') return grouped(rows, definition.joinKey!, group);
    if (!latest || definition.kind !== 'vector') return rows;
    const newest = new Map<unknown, (typeof rows)[number]>();
    for (const one of rows) {
      const known = newest.get(one.row[definition.joinKey!]);
      if (!known || String(one.row[latest]) > String(known.row[latest])) newest.set(one.row[definition.joinKey!], one);
    }
    return [...newest.values()];
  }

  /** The features of a layer for brute force. */
  survey(id: string): Survey<Row> {
    let survey = this.#surveys.get(id);
    if (!survey) {
      const [dataset, layer] = id.split(':') as [string, string];
      const definition = catalog.datasets.get(dataset)!.layers[layer]!;
      const key = definition.kind === 'vector' ? definition.joinKey : null;
      survey = new Survey(
        this.rows(id)
          .filter(one => one.shape)
          .map(({ row, shape }) => ({ key: key ? String(row[key]) : '', geometry: flat(shape!), value: row })),
      );
      this.#surveys.set(id, survey);
    }
    return survey;
  }

  /** The grid of a raster layer. */
  grid(id: string): Grid {
    const [layer] = this.of(id);
    const file = this.#files.get(layer!.file)!;
    if (file.kind === 'geotiff') return file.grid;
    return rainfallGrid(this.#world.terrain, layer!.layer as keyof typeof STORMS);
  }

  /** Whether the generator says that a layer is mapped at a place. */
  covers(id: string, lng: number, lat: number): boolean {
    return this.of(id).some(layer => {
      const coverage = layer.coverage ?? this.#place.coverage;
      if ('everywhere' in coverage) return true;
      if ('extent' in coverage) {
        const { left, top, cellX, cellY, columns, rows, epsg } = this.grid(id);
        const [x, y] = epsg === 26919 ? toUtm19([lng, lat]) : [lng, lat];
        return x >= left && x <= left + columns * cellX && y <= top && y >= top - rows * cellY;
      }
      let area = this.#coverages.get(coverage.file);
      if (!area) {
        const rows = publishedRows(this.#files.get(coverage.file)!, {});
        area = new Survey(rows.map(({ shape }) => ({ geometry: flat(shape!), value: null })));
        this.#coverages.set(coverage.file, area);
      }
      return area.at(lng, lat).length > 0;
    });
  }
}
