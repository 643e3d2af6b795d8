import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Column, Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Manifest, Part, Partition, ReleaseFile } from '../../../datasets/release.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { createGeoParquet } from '../../../ingest/writers/geoparquet.ts';
import { wholePartition } from '../../../pipelines/release/manifest.ts';
import { Parcels } from '../../../pipelines/steps/county/parcels.ts';

/** A parcel as a publisher would have it; `apn` is its number. */
export interface SourceParcel {
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, Value>>;
}

/** The parcels of one file; several may fill a county. */
export interface SourceCounty {
  readonly state: string;
  readonly fips: string;
  readonly place: string;
  readonly parcels: readonly SourceParcel[];
}

export interface ParcelRelease {
  readonly home: string;
  /** Parcel numbers of each county in stored order, by its first file. */
  readonly order: readonly (readonly string[])[];
  remove(): void;
}

const COLUMNS: Readonly<Record<string, Column>> = {
  ...PARCEL_ATTRIBUTES,
  parcel_key: { type: 'string', description: 'Key.' },
  ord: { type: 'integer', description: 'Row.' },
  part: { type: 'integer', description: 'Which file.' },
};

/** Where the parcels of a place are cited from. */
const provenanceOf = (place: string): Part['provenance'] => ({
  source: `source_of_${place}`,
  title: place,
  publisher: 'a test',
  url: null,
  licence: 'none',
  vintage: '2026',
  note: null,
  retrievedAt: '2026-01-01T00:00:00.000Z',
  synthetic: true,
});

/** Writes counties of parcels as ingest does: its keys and order, its files, a manifest by hand. Those of one code are one. */
export async function writeParcelRelease(
  counties: readonly SourceCounty[],
  home?: string,
  id = 'r1',
): Promise<ParcelRelease> {
  const root = home ?? mkdtempSync(join(tmpdir(), 'plat-parcels-'));
  const folder = join(root, 'releases');
  mkdirSync(folder, { recursive: true });
  const partitions: Partition[] = [];
  const order: string[][] = [];
  for (const [key, sources] of Map.groupBy(counties, ({ state, fips }) => `${state}/${fips}`)) {
    const staged = join(folder, 'staged');
    const options = { name: 'parcels', columns: COLUMNS, order: 'input', durable: false } as const;
    const features = await createFlatGeobuf(`${staged}.fgb`, options);
    const rows = await createGeoParquet(`${staged}.parquet`, { ...options, geometry: true });
    const parcels = await Parcels.create(`${staged}.spool`, { county: sources[0]!.fips });
    for (const [part, source] of sources.entries())
      for (const { geometry, properties } of source.parcels) {
        const row = { geometry, properties: { ...properties } };
        const refused = parcels.add(row, null, sources.length > 1 ? part : null);
        if (refused) throw new Error(refused.reason);
      }
    const numbers: string[] = [];
    for await (const row of parcels.rows()) {
      numbers.push(String(row.properties.apn));
      await features.write(row);
      await rows.write(row);
    }
    parcels.close();
    order.push(numbers);
    const files: ReleaseFile[] = [];
    let box: Partition['box'] = null;
    for (const [role, writer] of [
      ['features', features],
      ['rows', rows],
    ] as const) {
      const written = await writer.finish();
      box = written.box;
      const bytes = readFileSync(written.path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = `files/${sha256.slice(0, 2)}/${sha256}${role === 'rows' ? '.parquet' : '.fgb'}`;
      mkdirSync(join(folder, 'files', sha256.slice(0, 2)), { recursive: true });
      renameSync(written.path, join(folder, path));
      files.push({ role, path, sha256, bytes: bytes.length, rows: numbers.length });
    }
    const parts = sources.map(
      ({ place, parcels: source }): Part => ({
        place,
        rows: source.length,
        box,
        files: [],
        coverage: 'everywhere',
        provenance: provenanceOf(place),
        unpublished: [],
      }),
    );
    partitions.push(wholePartition({ key, rows: numbers.length, box }, files, parts));
  }
  const manifest: Manifest = {
    format: 1,
    id,
    createdAt: '2026-01-01T00:00:00.000Z',
    asOf: '2026-01-01',
    previous: null,
    datasets: { parcel_store: { main: { version: id, columns: Object.keys(COLUMNS), partitions } } },
    ingests: [],
  };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(manifest));
  writeFileSync(join(folder, 'current.new'), `${id}\n`);
  renameSync(join(folder, 'current.new'), join(folder, 'current'));
  return { home: root, order, remove: () => rmSync(root, { recursive: true, force: true }) };
}
