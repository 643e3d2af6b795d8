import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { fromFile } from 'geotiff';
import type { Manifest } from '../../../../datasets/release.ts';
import { currentId, readManifest } from '../../../../query/release/home/releases.ts';

/** A row of a layer as a program of others reads it. */
export interface StoredRow {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
}

/** Reads the layers of the current release of a home with other programs' readers. */
export class ReleaseRows {
  readonly #releases: string;
  readonly #manifest: Manifest;

  constructor(home: string) {
    this.#releases = join(home, 'releases');
    this.#manifest = readManifest(this.#releases, currentId(this.#releases)!);
  }

  layers(): string[] {
    return Object.entries(this.#manifest.datasets).flatMap(([dataset, layers]) =>
      Object.keys(layers).map(layer => `${dataset}:${layer}`),
    );
  }

  /** Files of a layer by what they are. */
  #filesOf(name: string) {
    const [dataset, layer] = name.split(':') as [string, string];
    const { partitions } = this.#manifest.datasets[dataset]![layer]!;
    return partitions.flatMap(({ files }) =>
      files.map(({ role, path }) => ({ role, path: join(this.#releases, path) })),
    );
  }

  /** Rows of a layer of features or of a table. */
  async rows(name: string): Promise<StoredRow[]> {
    const rows: StoredRow[] = [];
    const files = this.#filesOf(name);
    const features = files.filter(({ role }) => role === 'features');
    for (const { path } of features)
      for await (const one of deserialize(new Uint8Array(readFileSync(path))) as AsyncIterable<StoredRow>)
        rows.push({ properties: one.properties, geometry: one.geometry });
    if (features.length > 0) return rows;
    const db = await (await DuckDBInstance.create()).connect();
    for (const { path } of files.filter(({ role }) => role === 'rows')) {
      const found = await db.runAndReadAll('SELECT * FROM read_parquet($1)', [path]);
      for (const properties of found.getRowObjectsJson()) rows.push({ properties, geometry: null });
    }
    db.closeSync();
    return rows;
  }

  /** Rasters of a layer. */
  rasters(name: string) {
    return Promise.all(
      this.#filesOf(name)
        .filter(({ role }) => role === 'raster')
        .map(({ path }) => fromFile(path)),
    );
  }
}
