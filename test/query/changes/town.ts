import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '../../../datasets/catalog.ts';
import type { Column } from '../../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Place, PlaceLayer } from '../../../datasets/place/place.ts';
import { run } from '../../../pipelines/run.ts';
import type { ChangesPage, ChangesPosition, ChangesQuestion } from '../../../query/changes/page.ts';
import { changesPage } from '../../../query/changes/page.ts';
import { Work } from '../../../query/changes/work.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { feature, provenance, square, writeFiles } from '../../pipelines/village.ts';

/** A lot of the town: a square of about a hundred metres, in a column and row of a grid; some are two columns wide. */
export interface Lot {
  readonly no: string;
  readonly column: number;
  readonly row: number;
  readonly wide?: boolean;
  readonly value?: number;
  readonly id?: number;
}

/** Everything that the town publishes. */
export interface Published {
  readonly lots: readonly Lot[];
  /** Columns of the grid that are wetland. */
  readonly wet: readonly number[];
  /** District of all lots. */
  readonly zone: string;
  readonly population: number;
}

const [WEST, SOUTH, SIZE] = [-68.9, 44.1, 0.001];
const own = Object.entries(PARCEL_ATTRIBUTES as Readonly<Record<string, Column>>).flatMap(([name, { computed }]) =>
  computed ? [] : [name],
);
/** A layer of a town; what it does not map it does not publish. */
export const townLayer = (dataset: string, name: string, file: string, columns: PlaceLayer['columns']): PlaceLayer => {
  const all = dataset === 'parcel_store' ? own : Object.keys(columnsOf(dataset, name));
  const unpublished = all.filter(column => !Object.hasOwn(columns, column));
  return { dataset, layer: name, file, columns, unpublished, provenance };
};
const columnsOf = (dataset: string, name: string): object => {
  const found = catalog.datasets.get(dataset)!.layers[name]!;
  return found.kind === 'raster' ? {} : found.columns;
};

const town: Place = {
  name: 'town',
  title: 'A town',
  state: 'ME',
  county: '23019',
  coverage: { file: 'boundary.geojson' },
  layers: [
    townLayer('parcel_store', 'main', 'lots.geojson', { apn: 'no', parval: { from: 'value', type: 'number' } }),
    townLayer('usfws_nwi', 'main', 'wetlands.geojson', { ATTRIBUTE: 'code', WETLAND_TYPE: 'type' }),
    townLayer('local_zoning', 'main', 'zoning.geojson', { ZONE: 'zone' }),
    townLayer('census_tiger', 'county', 'county.geojson', { GEOID: 'id', STATEFP: { from: 'id', slice: [0, 2] } }),
    townLayer('census_pep', 'main', 'people.csv', { county_fips: 'fips', POPESTIMATE2025: 'people' }),
  ],
};

const box = (column: number, row: number, columns: number) => {
  const [x, y] = [WEST + column * SIZE, SOUTH + row * SIZE];
  const right = x + columns * SIZE;
  return [
    [x, y],
    [right, y],
    [right, y + SIZE],
    [x, y + SIZE],
    [x, y],
  ];
};

/** A home that the town is ingested into again and again. */
export class Town {
  readonly folder = mkdtempSync(join(tmpdir(), 'plat-changes-'));
  readonly home = join(this.folder, 'home');
  readonly #sources = join(this.folder, 'sources');

  /** Ingests what the town publishes. @param isOverlaid whether calculations are made. @returns the release. */
  async publish({ lots, wet, zone, population }: Published, isOverlaid = true): Promise<string> {
    mkdirSync(this.#sources, { recursive: true });
    writeFiles(this.#sources, {
      'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
      'county.geojson': [feature('Polygon', [square(-69.5, 43.5, 1)], { id: '23019' })],
      'lots.geojson': lots.map(({ no, column, row, wide, value = 100, id = null }) =>
        feature('Polygon', [box(column, row, wide ? 2 : 1)], { no, value, OBJECTID: id }),
      ),
      'wetlands.geojson': wet.map(column =>
        feature('Polygon', [square(WEST + column * SIZE, SOUTH, SIZE)], {
          code: 'PEM1',
          type: 'Freshwater Emergent Wetland',
        }),
      ),
      'zoning.geojson': [feature('Polygon', [square(-69, 44, 0.2)], { zone })],
    });
    writeFileSync(join(this.#sources, 'people.csv'), `fips,people\n23019,${population}\n`);
    const { release } = await run({
      home: this.home,
      sources: this.#sources,
      place: town,
      threads: 0,
      progress: SILENT,
      accept: [town.name],
      ...(isOverlaid ? { overlay: { memoryMb: 128 } } : {}),
    });
    return release;
  }

  /** All pages of what differs. @param rows judged after which a page ends. */
  async compare(
    since: string,
    to: string,
    { state = null, fields = [], limit = 1000, rows = Infinity }: Partial<ChangesQuestion> & { rows?: number } = {},
  ): Promise<ChangesPage & { readonly pages: number }> {
    const cache = createCache(64);
    const open = (id: string) => new Layers(openReleaseById(this.home, id), cache);
    const compared = { before: open(since), after: open(to), catalog };
    const all = { layers: [], parcels: [], gaps: [] } as {
      [K in 'layers' | 'parcels' | 'gaps']: ChangesPage[K][number][];
    };
    let pages = 0;
    let from: ChangesPosition | null = null;
    do {
      const work = new Work({ deadline: Date.now() + 60_000, softDeadline: Infinity, rows, stopped: () => false });
      const page: ChangesPage = await changesPage(compared, { state, fields, limit, from }, work);
      all.layers.push(...page.layers);
      all.parcels.push(...page.parcels);
      all.gaps.push(...page.gaps);
      // As a cursor carries it.
      from = page.next && JSON.parse(JSON.stringify(page.next));
      pages++;
    } while (from);
    cache.clear();
    return { ...all, next: null, pages };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
