import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import { GdalThread } from '../../../../ingest/gdal-thread.ts';
import { type SourceLayer, sourceLayer } from '../../../../pipelines/place/new/source-layer.ts';
import { Untranslatable } from '../../../../pipelines/place/new/untranslatable.ts';
import { Intake, type IntakeRow } from '../../../../pipelines/steps/intake.ts';
import { Rejects } from '../../../../pipelines/steps/rejected/rejects.ts';
import { writeArchive } from '../../../../pipelines/world/format/archive.ts';
import { writeGeodatabase } from '../../../../pipelines/world/format/geodatabase.ts';
import { text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { writeCsv, writeGeojson } from '../../../../pipelines/world/format/table.ts';
import { referenceValues } from './conform-reference.ts';
import { directoryRows, randomOf, type SourceRows } from './conform-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-directory-'));
const gdal = new GdalThread(Number.POSITIVE_INFINITY);
afterAll(async () => {
  await gdal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A square of 0.001° for each row, its south-west corner on a grid; for every other source of addresses its middle. */
const corner = (i: number) => [-68.5 + 0.01 * (i % 10), 44.5 + 0.01 * Math.floor(i / 10)] as const;
function shapeOf(i: number, isPoint: boolean) {
  const [x, y] = corner(i);
  if (isPoint) return { type: 'Point', coordinates: [x + 0.0005, y + 0.0005] } as const;
  const ring = [
    [x, y],
    [x + 0.001, y],
    [x + 0.001, y + 0.001],
    [x, y + 0.001],
    [x, y],
  ] as [number, number][];
  return { type: 'Polygon', coordinates: [ring] } as const;
}

/** Whether a stored row stands where row i was put: inside its square, or the square itself. */
function standsAt({ geometry }: IntakeRow, i: number, isParcel: boolean): boolean {
  const [x, y] = corner(i);
  const near = (value: number, low: number) => value > low - 1e-7 && value < low + 0.001 + 1e-7;
  const points = [...geometry!.xy];
  return (
    geometry!.type.endsWith(isParcel ? 'Polygon' : 'Point') &&
    points.length === (isParcel ? 10 : 2) &&
    points.every((value, k) => near(value, k % 2 === 0 ? x : y))
  );
}

/** Writes the rows in the form in which the source is published. */
async function publish(
  { source, rows, layer }: SourceRows,
  { file, layer: { options = {} } }: SourceLayer,
  isPoint: boolean,
) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const columns = Object.keys(rows[0]!);
  const geometry = layer === 'parcels' || !isPoint ? ('polygon' as const) : ('point' as const);
  const features = rows.map((properties, i) => ({ properties, geometry: shapeOf(i, geometry === 'point') }));
  const member = basename(options.member ?? 'rows').replace(/\.\w+$/, '');
  if (file.endsWith('.shp.zip')) {
    // A shapefile is named in its archive.
    const named = join(dirname(path), `${member}.shp.zip`);
    const dbf = columns.map(name => text(name, 120));
    await writeShapefile(named, features, { geometry, columns: dbf });
    return renameSync(named, path);
  }
  if (file.endsWith('.gdb.zip')) {
    const types = Object.fromEntries(columns.map(name => [name, 'string' as const]));
    const layers = { [options.layer ?? 'Rows']: { geometry, columns: types, rows: () => features } };
    return writeGeodatabase(path, { folder: 'rows.gdb', crs: 'EPSG:4269', layers }, gdal);
  }
  const plain = path.replace(/\.zip$/, '');
  if (plain.endsWith('.geojson')) await writeGeojson(plain, 'rows', features);
  else {
    const { lon, lat } = source.conform as { lon: string; lat: string };
    const placed = rows.map((row, i) => ({ ...row, [lon]: corner(i)[0] + 0.0005, [lat]: corner(i)[1] + 0.0005 }));
    await writeCsv(plain, [...new Set([...columns, lon, lat])], placed);
  }
  if (plain !== path) await writeArchive(path, { [`${member}${extname(plain)}`]: () => [readFileSync(plain, 'utf8')] });
}

/** The rows of a source as an ingest stores them, by their number in the file, from 1. */
async function stored({ file, layer }: SourceLayer): Promise<ReadonlyMap<number, IntakeRow>> {
  const place: Omit<Place, 'layers'> = {
    name: 'c',
    title: 'C',
    state: 'ME',
    county: '23019',
    coverage: { everywhere: true },
  };
  const target = layerOf(catalog.datasets, layer.dataset, layer.layer) as VectorLayer;
  const own = join(folder, 'work', file);
  mkdirSync(own, { recursive: true });
  const job = { place, layer: layer as PlaceLayer, sources: folder, folder: own, asOf: '2026-01-01' };
  const intake = await Intake.open(job, target, new Rejects(own, 'rows', target), null, () => {});
  const rows = new Map<number, IntakeRow>();
  for await (const row of intake.rows()) rows.set(row.number, row);
  await intake.close();
  return rows;
}

/** Columns that hold an attribute, by the kind of source. */
const HELD = { addresses: { number: 'AddNo_Full', street: 'StNam_Full' }, parcels: { pid: 'apn' } } as const;

/** Why a source is not equal to the reference row by row; null where it is. */
async function difference(
  all: SourceRows,
  made: SourceLayer,
  wanted: readonly (Readonly<Record<string, string>> | null)[],
  isPoint: boolean,
) {
  const isParcel = all.layer === 'parcels';
  await publish(all, made, isPoint);
  const rows = await stored(made);
  for (const [i, values] of wanted.entries()) {
    const row = [...rows.values()][i];
    if (!row) return `row ${i} is missing: ${rows.size} of ${wanted.length}`;
    if (!standsAt(row, i, isParcel)) return `row ${i} stands elsewhere: ${row.geometry?.type} ${row.geometry?.xy}`;
    for (const [name, column] of Object.entries(HELD[all.layer as keyof typeof HELD]))
      if (values !== null && String(row.properties[column] ?? '') !== values[name]!.trim())
        return `row ${i}: ${column} is ${row.properties[column]}, expected ${values[name]}`;
  }
  return null;
}

describe('counties of the directory', { tags: ['Python'] }, () => {
  it('of a hundred that a seed draws, ninety hold number, parcel number, situs address and place as the reference has them', async () => {
    const random = randomOf(Number(process.env.PLAT_SEED ?? 64));
    const { edition, definitions } = readDirectory();
    const counties = definitions.filter(
      ({ scope, layers }) => scope === 'county' && (layers.addresses ?? layers.parcels) !== undefined,
    );
    const drawn = Array.from({ length: 100 }, () => counties.splice(Math.floor(random() * counties.length), 1)[0]!);
    const all = directoryRows({ edition, definitions: drawn }, 4, random, 4).filter(
      ({ layer, source, rows }) => layer in HELD && source.skip !== true && Object.keys(rows[0]!).length > 0,
    );
    const unequal = new Map<string, string>();
    const made = all.flatMap(rows => {
      const definition = drawn.find(({ path }) => path === rows.path)!;
      const of = { state: definition.state!, county: definition.counties[0] ?? '23019', name: null };
      try {
        return [{ rows, layer: sourceLayer(definition, rows.layer, rows.source, of)! }];
      } catch (error) {
        if (!(error instanceof Untranslatable)) throw error;
        unequal.set(rows.path, error.message);
        return [];
      }
    });
    // A file of parcels with their addresses has the columns of both.
    const merged = made.map(({ rows, layer }) => {
      const alike = made.filter(other => other.layer.file === layer.file);
      return { ...rows, rows: rows.rows.map((_, i) => Object.assign({}, ...alike.map(other => other.rows.rows[i]))) };
    });
    const wanted = referenceValues(merged);
    for (const [i, rows] of merged.entries()) {
      const { layer } = made[i]!;
      const isPoint =
        rows.path.length % 2 === 0 && !made.some(other => other !== made[i] && other.layer.file === layer.file);
      const why = await difference(rows, layer, wanted[i]!, isPoint);
      if (why !== null) unequal.set(rows.path, `${layer.file}: ${why}`);
    }
    expect(all.length).toBeGreaterThan(100);
    expect(unequal.size, [...unequal].join('\n')).toBeLessThanOrEqual(10);
  });
});
