import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { catalog } from '../../../../datasets/catalog.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { joinsOf, type Place } from '../../../../datasets/place/place.ts';
import synthetic from '../../../../datasets/places/synthetic.ts';
import type { Located } from '../../../../ingest/acquire/locate.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import type { WorldFile } from '../../../../pipelines/world/format/file.ts';
import { type Grid, writeGeotiff } from '../../../../pipelines/world/format/geotiff.ts';
import { writePlaceRows } from '../../../ingest/acquire/places-parquet.ts';
import type { Publisher } from '../../../ingest/acquire/publisher.ts';
import { dated, onHost, serveFeatures } from '../../acquire/area-publisher.ts';
import { collection, FORMS, type Origin, type Properties, rowsOf, written } from './county-forms.ts';

const numbersOf = (list: string | null) => (list ?? '').split(',').map(Number);

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

/** Serves places as a bucket of Amazon S3 has them: a listing, and a file that is read by ranges. */
async function serveBucket(publisher: Publisher, address: string, origin: Origin): Promise<void> {
  const places = rowsOf(origin).map(({ properties, geometry }) => {
    const [x, y] = (geometry as { coordinates: [number, number] }).coordinates;
    const { id, confidence } = properties as { id: string; confidence: number };
    const [name, category] = [properties['names.primary'], properties['categories.primary']].map(String);
    return { id, name: name!, category: category!, confidence, x, y };
  });
  const body = await written('places.parquet', path => writePlaceRows(path, places));
  const { hostname, searchParams } = new URL(address);
  const key = `${searchParams.get('prefix')}part-0.parquet`;
  publisher.handlers.set(`/${hostname}/`, (_request, response) => {
    response.end(
      `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>${key}</Key><ETag>"a"</ETag><Size>${body.length}</Size></Contents></ListBucketResult>`,
    );
  });
  publisher.handlers.set(`/${hostname}/${key.replaceAll('=', '%3D')}`, ({ headers }, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')!;
    const part = body.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part);
  });
}

/** Index pages by the dataset or layer whose newest file they name: their text, and the address of the file. */
const INDEXES: Readonly<Record<string, { readonly page: string; readonly at: string }>> = {
  'epa_egrid:subregion_poly': {
    page: '<a href="/system/files/2025-06/egrid2023_subregions.zip">',
    at: 'https://www.epa.gov/system/files/2025-06/egrid2023_subregions.zip',
  },
  'epa_egrid:srl': {
    page: '<a href="/system/files/2025-06/egrid2023_data_rev2.xlsx">',
    at: 'https://www.epa.gov/system/files/2025-06/egrid2023_data_rev2.xlsx',
  },
  overture_places: {
    page: '{"latest": "2026-09-23.0"}',
    at: 'https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/?list-type=2&prefix=release/2026-09-23.0/theme=places/type=place/',
  },
  usgs_nhdplus_hr: {
    page: 'StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_0106_HU4_20220901_GDB.zip',
    at: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_0106_HU4_20220901_GDB.zip',
  },
  usfs_wrc: {
    page: '<a href="https://s3-us-west-2.amazonaws.com/fs.usda.rds/RDS-2020-0016-2/RDS-2020-0016-2_Maine.zip">',
    at: 'https://s3-us-west-2.amazonaws.com/fs.usda.rds/RDS-2020-0016-2/RDS-2020-0016-2_Maine.zip',
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
    // The area has no risk index of counties.
    ...{ name: 'county', wanted: (dataset, layer) => `${dataset}:${layer}` !== 'fema_nri:county', isOpen: false },
    answers: { pieces, guesses: new Map(), open: [] },
    // The other county of the area; boundaries of the Census Bureau have neither.
    neighbors: () => [{ county: '33999', state: 'NH', name: 'Synthetic' }],
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
    const at = place.files![file]!;
    const own =
      place.layers.find(layer => layer.file === file) ??
      (at.layer === undefined
        ? place.layers.find(layer => joinsOf(layer).some(join => join.file === file))
        : { dataset: at.dataset!, layer: at.layer });
    const of = own ?? { dataset: 'census_tiger', layer: 'county' };
    const whose = at.state;
    // A file of the whole area stands for that of each of its states.
    const mapped = synthetic.layers.filter(
      one => one.dataset === of.dataset && one.layer === of.layer && (one.state ?? whose ?? 'ME') === (whose ?? 'ME'),
    );
    const piece = at.with ?? {};
    const layer =
      mapped.find(one => Object.values(piece).some(value => basename(one.file).startsWith(`${value}_`))) ??
      mapped.find(one => Object.values(piece).some(value => basename(one.file).includes(`_${value}`))) ??
      mapped[0];
    const origin = layer && files.get(layer.file);
    // What is taken by ground reaches into the other state of the area.
    const alike = synthetic.layers.filter(
      one => located.box && one.dataset === of.dataset && one.layer === of.layer && one.file !== layer?.file,
    );
    const beside = alike.map(one => ({ file: files.get(one.file)!, layer: one }));
    if (!origin) {
      without.push(file);
      continue;
    }
    await serve(publisher, located, [{ file: origin, layer }, ...beside], { sources, coverages, tables });
  }
  return without;
}

interface Served {
  readonly sources: string;
  readonly coverages: Map<string, Grid>;
  readonly tables: Map<string, string>;
}

async function serve(
  publisher: Publisher,
  { via, url, vintage }: Located,
  origins: readonly [Origin, ...Origin[]],
  served: Served,
) {
  const [origin] = origins;
  const { file, layer } = origin;
  const index = vintage && 'index' in vintage ? vintage.index : null;
  const found = INDEXES[`${layer.dataset}:${layer.layer}`] ?? INDEXES[layer.dataset];
  const address = index === null ? dated(url, file.path) : found!.at;
  if (index !== null) publisher.put(onHost(index), found!.page);
  const path = onHost(address);
  const [plain] = path.split('?') as [string];
  if (via === 'arcgis') {
    const columns = COLUMNS[layer.dataset] ?? (row => row);
    const rows = origins
      .flatMap(rowsOf)
      .map(({ properties, geometry }) => ({ properties: columns(properties), geometry }));
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
  } else if (via === 'parquet') await serveBucket(publisher, address, origin);
  else if (via === 'ogc') {
    const text = readFileSync(join(served.sources, file.path), 'utf8');
    publisher.handlers.set(plain, (_request, response) => void response.end(text));
  } else {
    const form = FORMS[`${layer.dataset}:${layer.layer}`];
    publisher.put(
      path,
      form ? await form(origin, served.sources, path) : readFileSync(join(served.sources, file.path)),
    );
  }
}
