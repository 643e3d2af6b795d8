import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { catalog } from '../../../../datasets/catalog.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import synthetic from '../../../../datasets/places/synthetic.ts';
import type { Located } from '../../../../ingest/acquire/locate.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import { NAD83_PRJ } from '../../../../pipelines/world/format/crs.ts';
import { number, text } from '../../../../pipelines/world/format/dbf.ts';
import type { Feature } from '../../../../pipelines/world/format/feature.ts';
import type { WorldFile } from '../../../../pipelines/world/format/file.ts';
import { writeGeopackage } from '../../../../pipelines/world/format/geopackage.ts';
import { type Grid, writeGeotiff } from '../../../../pipelines/world/format/geotiff.ts';
import { writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { writeWorkbook } from '../../../../pipelines/world/format/workbook.ts';
import type { Publisher } from '../../../ingest/acquire/publisher.ts';
import { zipOf } from '../../../ingest/readers/zip.ts';
import { tarOf } from '../../../ingest/tar.ts';
import { dated, onHost, serveFeatures } from '../../acquire/area-publisher.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A row of a file of the area, as its publisher has it. */
interface PublishedRow {
  readonly properties: Properties;
  readonly geometry: unknown;
}

/** A file of the area with the layer of the place file that reads it. */
interface Origin {
  readonly file: WorldFile;
  readonly layer: PlaceLayer;
}

const numbersOf = (list: string | null) => (list ?? '').split(',').map(Number);

/** A point of a row of a table that has its place in two columns. */
const pointOf = ({ x, y }: { x?: unknown; y?: unknown }, properties: Properties) =>
  typeof x === 'string' && typeof y === 'string'
    ? { type: 'Point', coordinates: [Number(properties[x]), Number(properties[y])] }
    : null;

/** Rows of one file of the area in its publisher's columns. */
function rowsOf({ file, layer }: Origin): readonly PublishedRow[] {
  if (file.kind === 'geojson' || file.kind === 'shapefile') return [...file.rows()];
  if (file.kind === 'geodatabase') return [...file.database.layers[String(layer.options!.layer)]!.rows()];
  if (file.kind === 'geopackage') return Object.values(file.layers).flatMap(one => [...one.rows()]);
  if (file.kind !== 'csv') throw new Error(`${file.path}: no rows of ${file.kind}`);
  return [...file.rows()].map(properties => ({ properties, geometry: pointOf(layer.options ?? {}, properties) }));
}

const collection = (rows: readonly PublishedRow[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: rows.map(({ properties, geometry }) => ({ type: 'Feature', properties, geometry })),
  });

const zipped = (name: string, body: string | Buffer) => zipOf({ [name]: body });

/** What is written to a file, by a name in a folder that is gone then. */
async function written(name: string, write: (path: string) => unknown): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-county-'));
  try {
    const path = join(folder, name);
    await write(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const csvOf = (columns: readonly string[], rows: readonly Properties[]) =>
  [columns, ...rows.map(row => columns.map(name => row[name] ?? ''))]
    .map(cells => cells.map(cell => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)))
    .map(cells => `${cells.join(',')}\n`)
    .join('');

/** Files whose publisher has them in another form than the area. */
const FORMS: Readonly<Record<string, (origin: Origin, sources: string) => Buffer | Promise<Buffer>>> = {
  'usgs_eersc:uswtdb': origin => zipped('uswtdb_V8_1_20250522.geojson', collection(rowsOf(origin))),
  'usgs_eersc:uspvdb': origin => zipped('uspvdb_v3_0_20250430.geojson', collection(rowsOf(origin))),
  'tz_boundaries:main': origin => zipped('combined-with-oceans.json', collection(rowsOf(origin))),
  'usfws_nwi:main': async origin => {
    const rows = rowsOf(origin) as readonly Feature[];
    const columns = Object.fromEntries(
      Object.entries(rows[0]!.properties).map(([name, value]) => [name, typeof value === 'number' ? 'REAL' : 'TEXT']),
    ) as Record<string, 'REAL' | 'TEXT'>;
    const name = 'ME_geopackage_wetlands.gpkg';
    return zipped(
      name,
      await written(name, path => writeGeopackage(path, { ME_Wetlands: { columns, rows: () => rows } })),
    );
  },
  'noaa_normals:main': origin => {
    const { columns } = origin.file as Extract<WorldFile, { kind: 'csv' }>;
    const stations = rowsOf(origin).map(({ properties }, i) => [`S${i}.csv`, csvOf(columns, [properties])]);
    return gzipSync(tarOf(Object.fromEntries(stations)));
  },
  'fhfa_hpi:main': async origin => {
    const { columns } = origin.file as Extract<WorldFile, { kind: 'csv' }>;
    const title = Array.from({ length: 5 }, (_, i) => [`Title ${i}`]);
    const rows = rowsOf(origin).map(({ properties }) => columns.map(name => properties[name] as string));
    return written('hpi.xlsx', path => writeWorkbook(path, { county: [...title, [...columns], ...rows] }));
  },
  'nces_edge:public_schools': async origin => {
    const rows = rowsOf(origin) as readonly Feature[];
    const columns = Object.entries(rows[0]!.properties).map(([name, value]) =>
      typeof value === 'number' ? number(name, 12) : text(name, 60),
    );
    return written('schools.shp.zip', path =>
      writeShapefile(path, rows, { geometry: 'point', columns, prj: NAD83_PRJ }),
    );
  },
  'koppen:main': ({ file }, sources) =>
    zipped('1991_2020/koppen_geiger_0p00833333.tif', readFileSync(join(sources, file.path))),
  'nrel_nsrdb:ghi': ({ file }, sources) => zipped('Annual GHI/nsrdb3_ghi.tif', readFileSync(join(sources, file.path))),
  'usda_cdl:main': ({ file }, sources) => zipped('2025_30m_cdls.tif', readFileSync(join(sources, file.path))),
  'usace_nid:main': ({ file }, sources) =>
    Buffer.concat([Buffer.from('"Data Last Updated: 2026-10-01"\n'), readFileSync(join(sources, file.path))]),
};

/** Rows in the columns of other publishers than those of the area, who have the county's parcels and addresses. */
const COLUMNS: Readonly<Record<string, (row: Properties) => Properties>> = {
  parcel_store: row => ({
    MAP_BK_LOT: row.MAP_BK_LOT,
    STATE_ID: row.STATE_ID,
    COUNTY: 'Synthetic',
    TOWN: row.LOC_CITY,
    PROP_LOC: row.PROP_LOC,
    FMUPDAT: null,
    GEOCODE: null,
  }),
  usdot_nad: row => ({
    ADDRESS_NUMBER: row.Add_Number,
    ADDNUMSUF: null,
    PREDIR: null,
    POSTDIR: null,
    STREETNAME: row.St_Name,
    SUFFIX: row.St_PosTyp,
    TOWN: row.Post_City,
    ZIPCODE: row.Zip_Code,
  }),
};

/** An image of a box of a grid, whose cells are the grid's own. */
function imageOf(grid: Grid, bbox: readonly number[], columns: number, rows: number): Promise<Buffer> {
  const left = Math.round((bbox[0]! - grid.left) / grid.cellX);
  const top = Math.round((grid.top - bbox[3]!) / grid.cellY);
  const value = (column: number, row: number) => grid.value(left + column, top + row);
  return written('image.tif', path =>
    writeGeotiff(path, { ...grid, left: bbox[0]!, top: bbox[3]!, columns, rows, value }),
  );
}

const boxOf = ({ left, top, cellX, cellY, columns, rows }: Grid) => ({
  ...{ xmin: left, ymax: top, xmax: left + columns * cellX, ymin: top - rows * cellY },
});

const sent = (image: Promise<Buffer>, response: ServerResponse) =>
  void image.then(
    body => response.end(body),
    error => response.writeHead(500).end(String(error)),
  );

const PIXELS = { uint8: 'U8', int16: 'S16', uint16: 'U16', float32: 'F32' } as const;

/** Serves a grid as an image service of ArcGIS has it. */
function serveImages(publisher: Publisher, path: string, grid: Grid): void {
  const extent = { ...boxOf(grid), spatialReference: { wkid: grid.epsg } };
  const description = {
    ...{ pixelSizeX: grid.cellX, pixelSizeY: grid.cellY, pixelType: PIXELS[grid.sample], extent },
    ...{ maxImageWidth: 1000, maxImageHeight: 1000 },
  };
  publisher.handlers.set(path, (_request, response) => void response.end(JSON.stringify(description)));
  publisher.handlers.set(`${path}/exportImage`, (_request, response, { searchParams }) => {
    const [columns, rows] = numbersOf(searchParams.get('size'));
    sent(imageOf(grid, numbersOf(searchParams.get('bbox')), columns!, rows!), response);
  });
}

/** Serves grids as the coverages of a WCS, told apart by the name and the time of each. */
function serveCoverages(publisher: Publisher, path: string, grids: ReadonlyMap<string, Grid>): void {
  publisher.handlers.set(path, (_request, response, { searchParams }) => {
    const grid = grids.get(`${searchParams.get('coverage')} ${searchParams.get('time')}`)!;
    if (searchParams.get('request') !== 'DescribeCoverage') {
      const size = [Number(searchParams.get('width')), Number(searchParams.get('height'))] as const;
      return sent(imageOf(grid, numbersOf(searchParams.get('bbox')), ...size), response);
    }
    const { xmin, ymin, xmax, ymax } = boxOf(grid);
    response.end(`<wcs:CoverageDescription xmlns:wcs="http://www.opengis.net/wcs" xmlns:gml="http://www.opengis.net/gml"><wcs:domainSet><wcs:spatialDomain>
      <gml:Envelope srsName="EPSG:${grid.epsg}"><gml:pos>${xmin} ${ymin}</gml:pos><gml:pos>${xmax} ${ymax}</gml:pos></gml:Envelope>
      <gml:RectifiedGrid dimension="2"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${grid.columns - 1} ${grid.rows - 1}</gml:high></gml:GridEnvelope></gml:limits>
      <gml:offsetVector>${grid.cellX} 0.0</gml:offsetVector><gml:offsetVector>0.0 ${-grid.cellY}</gml:offsetVector></gml:RectifiedGrid>
      </wcs:spatialDomain></wcs:domainSet></wcs:CoverageDescription>`);
  });
}

/** Tables of an API that sends them in pages, told apart by the model. */
function servePages(publisher: Publisher, path: string, tables: ReadonlyMap<string, string>): void {
  publisher.handlers.set(path, (_request, response, { searchParams }) => {
    const [header, ...lines] = tables.get(searchParams.get('model')!)!.trimEnd().split('\n');
    const skip = Number(searchParams.get('skip'));
    const page = lines.slice(skip, skip + Number(searchParams.get('limit')));
    response.end(`${[header, ...page].join('\n')}\n`);
  });
}

/** What an index page says of the newest file of each dataset that is found by one: its text, and the address of the file. */
const INDEXES: Readonly<Record<string, { readonly page: string; readonly at: string }>> = {
  epa_egrid: {
    page: '<a href="/system/files/2025-06/egrid2023_subregions.zip">',
    at: 'https://www.epa.gov/system/files/2025-06/egrid2023_subregions.zip',
  },
  usgs_nhdplus_hr: {
    page: 'StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_0106_HU4_20220901_GDB.zip',
    at: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_0106_HU4_20220901_GDB.zip',
  },
  tz_boundaries: {
    page: '{"tag_name": "2025b"}',
    at: 'https://github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones-with-oceans.geojson.zip',
  },
};

/** The place of the synthetic county as `plat place new` writes it, once publishers told the pieces of datasets that reach it. */
export function newSyntheticCounty() {
  const directory = readDirectory();
  const pieces = new Map([
    ['tile', ['n44w071']],
    ['huc4', ['0106']],
  ]);
  const of = { county: '23999', state: 'ME', name: 'Synthetic' };
  const written = newPlace(catalog, synthetic, directory, of, {
    ...{ name: 'county', wanted: () => true, isOpen: false },
    answers: { pieces, guesses: new Map(), open: [] },
  });
  return { left: written.left, place: parsePlace(newPlaceYaml(written, directory, 'county.yaml'), 'county.yaml') };
}

/**
 * Publishes the synthetic area at the addresses that the files of a place of `plat place new` have, in the forms of their publishers.
 * @param sources folder of the area's files.
 * @returns files of the place of which the area has nothing.
 */
export async function publishCounty(
  publisher: Publisher,
  place: Place,
  world: readonly WorldFile[],
  sources: string,
): Promise<readonly string[]> {
  const files = new Map(world.map(file => [file.path, file]));
  const without: string[] = [];
  const [coverages, tables] = [new Map<string, Grid>(), new Map<string, string>()];
  for (const { file, located } of publishedFiles(place)) {
    const own = place.layers.find(layer => layer.file === file);
    const of = own ?? { dataset: 'census_tiger', layer: 'county' };
    const mapped = synthetic.layers.filter(
      one => one.dataset === of.dataset && one.layer === of.layer && (one.state ?? 'ME') === 'ME',
    );
    const piece = place.files![file]!.with ?? {};
    const layer =
      mapped.find(one => Object.values(piece).some(value => basename(one.file).startsWith(`${value}_`))) ??
      mapped.find(one => Object.values(piece).some(value => basename(one.file).includes(`_${value}`))) ??
      mapped[0];
    const origin = layer && files.get(layer.file);
    if (!origin) {
      without.push(file);
      continue;
    }
    await serve(publisher, located, { file: origin, layer }, { sources, coverages, tables });
  }
  return without;
}

interface Served {
  readonly sources: string;
  readonly coverages: Map<string, Grid>;
  readonly tables: Map<string, string>;
}

async function serve(publisher: Publisher, { via, url, vintage }: Located, origin: Origin, served: Served) {
  const { file, layer } = origin;
  const index = vintage && 'index' in vintage ? vintage.index : null;
  const address = index === null ? dated(url, file.path) : INDEXES[layer.dataset]!.at;
  if (index !== null) publisher.put(onHost(index), INDEXES[layer.dataset]!.page);
  const path = onHost(address);
  const [plain] = path.split('?') as [string];
  if (via === 'arcgis') {
    const columns = COLUMNS[layer.dataset] ?? (row => row);
    const rows = rowsOf(origin).map(({ properties, geometry }) => ({ properties: columns(properties), geometry }));
    serveFeatures(publisher, plain, collection(rows));
  } else if (via === 'image') serveImages(publisher, plain, (file as { grid: Grid }).grid);
  else if (via === 'wcs') {
    const { searchParams } = new URL(address);
    served.coverages.set(`${searchParams.get('coverage')} ${searchParams.get('time')}`, (file as { grid: Grid }).grid);
    serveCoverages(publisher, plain, served.coverages);
  } else if (via === 'pages') {
    served.tables.set(
      new URL(address).searchParams.get('model')!,
      readFileSync(join(served.sources, file.path), 'utf8'),
    );
    servePages(publisher, plain, served.tables);
  } else if (via === 'ogc') {
    const text = readFileSync(join(served.sources, file.path), 'utf8');
    publisher.handlers.set(plain, (_request, response) => void response.end(text));
  } else {
    const form = FORMS[`${layer.dataset}:${layer.layer}`];
    publisher.put(path, form ? await form(origin, served.sources) : readFileSync(join(served.sources, file.path)));
  }
}
