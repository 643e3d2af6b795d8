import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { joinsOf, type PlaceLayer } from '../../../../datasets/place/place.ts';
import type { Feature } from '../../../../pipelines/world/format/feature.ts';
import type { WorldFile } from '../../../../pipelines/world/format/file.ts';
import { writeGeopackage } from '../../../../pipelines/world/format/geopackage.ts';
import { number, text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { writeWorkbook } from '../../../../pipelines/world/format/workbook.ts';
import { zipOf } from '../../../ingest/readers/zip.ts';
import { tarOf } from '../../../ingest/tar.ts';

export type Properties = Readonly<Record<string, unknown>>;

/** A row of a file of the area, as its publisher has it. */
interface PublishedRow {
  readonly properties: Properties;
  readonly geometry: unknown;
}

/** A file of the area with the layer of the place file that reads it. */
export interface Origin {
  readonly file: WorldFile;
  readonly layer: PlaceLayer;
}

/** A point of a row of a table that has its place in two columns. */
const pointOf = ({ x, y }: { x?: unknown; y?: unknown }, properties: Properties) =>
  typeof x === 'string' && typeof y === 'string'
    ? { type: 'Point', coordinates: [Number(properties[x]), Number(properties[y])] }
    : null;

/** Rows of one file of the area in its publisher's columns. */
export function rowsOf({ file, layer }: Origin): readonly PublishedRow[] {
  if (file.kind === 'geojson' || file.kind === 'shapefile') return [...file.rows()];
  if (file.kind === 'geodatabase') return [...file.database.layers[String(layer.options!.layer)]!.rows()];
  if (file.kind === 'geopackage') return Object.values(file.layers).flatMap(one => [...one.rows()]);
  if (file.kind !== 'csv') throw new Error(`${file.path}: no rows of ${file.kind}`);
  return [...file.rows()].map(properties => ({ properties, geometry: pointOf(layer.options ?? {}, properties) }));
}

export const collection = (rows: readonly PublishedRow[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: rows.map(({ properties, geometry }) => ({ type: 'Feature', properties, geometry })),
  });

const zipped = (name: string, body: string | Buffer) => zipOf({ [name]: body });

/** Bytes that are written to a file of a name, in a folder that is gone then. */
export async function written(name: string, write: (path: string) => unknown): Promise<Buffer> {
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

/** A table of the survey as the summary file has it: of all geographies, its cells named B19013_E001. */
function surveyTable(_origin: Origin, sources: string, path: string): Buffer {
  const [, table] = /-(b\d{5})\.dat/.exec(path)!;
  const rows = ['tract', 'county'].flatMap(kind => {
    const [header, ...all] = JSON.parse(
      readFileSync(join(sources, `census/acs2024_5yr_${kind}.table.json`), 'utf8'),
    ) as string[][];
    const ofTable = (name: string) => name === 'GEO_ID' || name.startsWith(`${table!.toUpperCase()}_`);
    return all.map(row =>
      Object.fromEntries(
        header!.flatMap((name, i) => (ofTable(name) ? [[name.replace(/_(\d{3})([EM])$/, '_$2$1'), row[i]]] : [])),
      ),
    );
  });
  const columns = Object.keys(rows[0]!);
  const nation = Object.fromEntries(columns.map(name => [name, name === 'GEO_ID' ? '0100000US' : '1']));
  const lines = [nation, ...rows].map(row => columns.map(name => row[name] ?? '').join('|'));
  return Buffer.from(`${[columns.join('|'), ...lines].join('\n')}\n`);
}

const WILDFIRE = ['BP', 'CFL', 'RPS', 'Exposure'];

/** The rasters of a state about wildfires, which come together. */
const wildfireOf = (_origin: Origin, sources: string): Promise<Buffer> =>
  zipOf(
    Object.fromEntries(
      WILDFIRE.map(name => [`Maine/${name}_ME.tif`, readFileSync(join(sources, `usfs/${name}_CONUS.tif`))]),
    ),
  );

type Blocks = Extract<WorldFile, { kind: 'shapefile' }>;

/** The crosswalk of blocks of the LODES, by their points. */
function crosswalk({ rows }: Blocks): Buffer {
  const lines = [...rows()].map(({ properties, geometry }) => {
    const [x, y] = (geometry as { coordinates: readonly number[] }).coordinates;
    return { tabblk2020: properties.GEOID20, blklatdd: y, blklondd: x };
  });
  return gzipSync(csvOf(['tabblk2020', 'blklatdd', 'blklondd'], lines));
}

/** The rows of a file as a shapefile in a zip. @param names its columns, and those of the file. */
const shapefileOf = (
  origin: Origin,
  stem: string,
  geometry: 'line' | 'polygon',
  names: Readonly<Record<string, string>>,
) =>
  written(`${stem}.shp.zip`, path => {
    const rows = (rowsOf(origin) as readonly Feature[]).map(row => ({
      geometry: row.geometry,
      properties: Object.fromEntries(Object.entries(names).map(([own, name]) => [own, row.properties[name]])),
    })) as readonly Feature[];
    const columns = Object.entries(rows[0]!.properties).map(([name, value]) =>
      typeof value === 'number' ? number(name, 12) : text(name, 60),
    );
    return writeShapefile(path, rows, { geometry, columns });
  });

/** Files whose publisher has them in another form than the area. */
export const FORMS: Readonly<
  Record<string, (origin: Origin, sources: string, path: string) => Buffer | Promise<Buffer>>
> = {
  'usgs_eersc:uswtdb': origin => zipped('uswtdb_V8_1_20250522.geojson', collection(rowsOf(origin))),
  'usgs_eersc:uspvdb': origin => zipped('uspvdb_v3_0_20250430.geojson', collection(rowsOf(origin))),
  'tz_boundaries:main': origin => zipped('combined-with-oceans.json', collection(rowsOf(origin))),
  'usfws_nwi:main': async (origin, _sources, path) => {
    const rows = rowsOf(origin) as readonly Feature[];
    const columns = Object.fromEntries(
      Object.entries(rows[0]!.properties).map(([name, value]) => [
        name,
        typeof value === 'number' ? 'number' : 'string',
      ]),
    ) as Record<string, 'number' | 'string'>;
    const [, state] = /(..)_geopackage/.exec(path)!;
    const name = `${state}_geopackage_wetlands.gpkg`;
    return zipped(
      name,
      await written(name, to => writeGeopackage(to, { [`${state}_Wetlands`]: { columns, rows: () => rows } })),
    );
  },
  'census_acs:county': surveyTable,
  'census_acs:tract': surveyTable,
  // The area has the points of blocks and their people in one file; published are the workplaces, the points and the people.
  'census_lodes:main': ({ file, layer }, sources, path) =>
    path.includes('xwalk') ? crosswalk(file as Blocks) : readFileSync(join(sources, joinsOf(layer)[0]!.file)),
  'census_tiger:tabblock20_internal_points': ({ file }) => crosswalk(file as Blocks),
  'eia_861:reliability': ({ file }, sources) => zipped('Reliability_2024.xlsx', readFileSync(join(sources, file.path))),
  'eia_atlas:natural_gas_pipelines': origin =>
    shapefileOf(origin, 'pipelines', 'line', { TYPEPIPE: 'TYPEPIPE', Operator: 'Operator', Status: 'Status' }),
  'eia_atlas:petroleum_product_pipelines': origin =>
    shapefileOf(origin, 'pipelines', 'line', { Opername: 'Opername', Pipename: 'Pipename' }),
  'silvis_wui:main': origin =>
    shapefileOf(origin, 'ME_wui', 'polygon', {
      ...{ WUICLASS_2: 'WUICLASS2020', WUIFLAG202: 'WUIFLAG2020', HUDEN2020: 'HUDEN2020' },
    }),
  'usgs_earthquake:qfaults': origin =>
    shapefileOf(origin, 'Qfaults_US_Database', 'line', {
      fault_name: 'fault_name',
      slip_rate: 'slip_rate',
      age: 'age',
    }),
  'openfema:FimaNfipClaims': origin =>
    written('claims.parquet', async path => {
      const database = await (await DuckDBInstance.create()).connect();
      await database.run('create table claims (id varchar, dateOfLoss date, censusGeoid varchar)');
      for (const { properties } of rowsOf(origin)) {
        const { id, dateOfLoss, censusTract } = properties as Record<string, string | null>;
        const block = censusTract ? `${censusTract}1` : null;
        await database.run('insert into claims values ($1, left($2, 10)::date, $3)', [
          id,
          dateOfLoss,
          block,
        ] as string[]);
      }
      await database.run(`copy claims to '${path}' (format parquet)`);
      database.closeSync();
    }),
  'nrel_nsrdb:dni': ({ file }, sources) => zipped('Annual DNI/nsrdb3_dni.tif', readFileSync(join(sources, file.path))),
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
    return written('schools.shp.zip', path => writeShapefile(path, rows, { geometry: 'point', columns }));
  },
  ...Object.fromEntries(WILDFIRE.map(name => [`usfs_wrc:${name}`, wildfireOf])),
  'koppen:main': ({ file }, sources) =>
    zipped('1991_2020/koppen_geiger_0p00833333.tif', readFileSync(join(sources, file.path))),
  'nrel_nsrdb:ghi': ({ file }, sources) => zipped('Annual GHI/nsrdb3_ghi.tif', readFileSync(join(sources, file.path))),
  'usda_cdl:main': ({ file }, sources) => zipped('2025_30m_cdls.tif', readFileSync(join(sources, file.path))),
  'usace_nid:main': ({ file }, sources) =>
    Buffer.concat([Buffer.from('"Data Last Updated: 2026-10-01"\n'), readFileSync(join(sources, file.path))]),
};
