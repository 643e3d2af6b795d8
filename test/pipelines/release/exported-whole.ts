import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { ByteBuffer } from 'flatbuffers';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import { fromFile } from 'geotiff';
import type { Manifest } from '../../../datasets/release.ts';
import { exportRelease } from '../../../pipelines/release/export/export-release.ts';

/** What a layer holds by file ending: features, rows of tables, cells of rasters. */
type Held = Record<string, number>;

const add = (held: Held, name: string, count: number) => {
  held[name] = (held[name] ?? 0) + count;
};

async function cellsOf(path: string): Promise<number> {
  const tiff = await fromFile(path);
  const image = await tiff.getImage();
  tiff.close();
  return image.getWidth() * image.getHeight();
}

const ENDINGS: Readonly<Record<string, string>> = { features: 'fgb', rows: 'parquet', raster: 'tif' };

/** Features, rows and cells of each layer: what the release says of itself, and what other programs count in its export. */
export async function exportedWhole(manifest: Manifest, releases: string): Promise<{ stored: Held; exported: Held }> {
  const [stored, exported]: [Held, Held] = [{}, {}];
  for (const [dataset, layers] of Object.entries(manifest.datasets))
    for (const [layer, { partitions }] of Object.entries(layers))
      for (const { role, path, rows } of partitions.flatMap(({ files }) => files)) {
        const ending = ENDINGS[role];
        if (!ending) continue;
        const count = role === 'raster' ? await cellsOf(join(releases, path)) : rows;
        add(stored, `${dataset}/${layer}.${ending}`, count);
      }
  const work = mkdtempSync(join(tmpdir(), 'plat-exported-'));
  const db = await (await DuckDBInstance.create()).connect();
  try {
    const out = join(work, 'release');
    await exportRelease(manifest, { releases, out, state: undefined });
    for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
      const [, layer, ending] = /^((?!map\/|calculations\/)[^/]+\/[^/]+)\/.*\.(fgb|parquet|tif)$/.exec(path) ?? [];
      if (!layer || !ending) continue;
      const file = join(out, path);
      const name = `${layer}.${ending}`;
      if (ending === 'tif') add(exported, name, await cellsOf(file));
      else if (ending === 'parquet') {
        const counted = await db.runAndReadAll('SELECT count(*)::INTEGER FROM read_parquet($file)', { file });
        add(exported, name, Number(counted.getRowsJS()[0]![0]));
      } else {
        const header = new ByteBuffer(readFileSync(file).subarray(8));
        add(exported, name, Number(Header.getSizePrefixedRootAsHeader(header).featuresCount()));
      }
    }
  } finally {
    db.closeSync();
    rmSync(work, { recursive: true });
  }
  return { stored, exported };
}
