import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Manifest, ReleaseFile } from '../../datasets/release.ts';
import { openSource } from '../../ingest/format.ts';
import { readNeighbours } from '../../query/assemblage/neighbour-file.ts';
import { hashFile } from '../../query/format/file-hash.ts';
import { stampOf } from '../../query/format/file-stamp.ts';
import { AddressIndex } from '../../query/geocode/index/address-index.ts';
import { readQuantiles } from '../../query/parcel/quantiles.ts';
import { RecordFile } from '../../query/parcel/record-file.ts';
import { readScorecard } from '../../query/parcel/scorecard.ts';
import { filesOf, shardFilesOf } from '../../query/release/home/store.ts';
import { eachPartition } from '../../query/release/lists/layer-lists.ts';
import { readPack } from '../../query/release/pack/pack.ts';
import { SoundRecord } from '../../query/release/sound-record.ts';
import { readGraphMemory } from '../../query/route/shared-graph.ts';
import { NamesOfParcels } from '../../query/suggest/name-index.ts';
import { TileArchive } from '../../query/tile/tile-archive.ts';

/** A fault of one file of a release. */
interface Damage {
  readonly path: string;
  readonly problem: string;
}

/** The result of checking a release against its manifest. */
interface Verification {
  readonly release: string;
  readonly files: number;
  readonly bytes: number;
  readonly damage: readonly Damage[];
}

const linesIn = (bytes: Buffer): number =>
  bytes
    .toString()
    .split('\n')
    .filter(line => line !== '').length;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Returns the number of rows of an undamaged file, counted by its reader. Null for rasters, whose bytes are the publisher's, and
 * for address indexes and road graphs, which do not hold the rows from which they were made.
 */
async function countRows(file: ReleaseFile, path: string): Promise<number | null> {
  if (file.role === 'raster') return null;
  if (file.role === 'rejects' || file.role === 'ended' || file.role === 'stacks' || file.role === 'lists') {
    return linesIn(readFileSync(path));
  }
  if (file.role === 'shard') return linesIn(gunzipSync(readFileSync(path)));
  if (file.role === 'records') {
    const records = new RecordFile(path);
    try {
      // Every page has a checksum of its own, and every record must decode.
      for (let ord = 0; ord < records.count; ord++) records.findings(ord, NOTHING);
      return records.count;
    } finally {
      records.close();
    }
  }
  if (file.role === 'addresses') {
    const index = AddressIndex.open(path);
    try {
      for (let street = 0; street < index.streets; street++) {
        index.entry(street);
        index.pointsOf(street);
        for (const { xy } of index.segmentsOf(street)) void xy;
      }
      return null;
    } finally {
      index.close();
    }
  }
  if (file.role === 'names') return NamesOfParcels.open(path).parcels;
  if (file.role === 'neighbours') return readNeighbours(path).starts.length - 1;
  if (file.role === 'tiles') {
    const archive = await TileArchive.open(path);
    try {
      return await archive.count();
    } finally {
      archive.close();
    }
  }
  if (file.role === 'quantiles') return Object.keys((await readQuantiles(path)).fields).length;
  if (file.role === 'scorecard') return (await readScorecard(path)).rows.length;
  if (file.role === 'graph') {
    await readGraphMemory(path);
    return null;
  }
  const source = await openSource(path, { options: {} });
  try {
    if (source.count !== null) return source.count;
    let rows = 0;
    for await (const batch of source.rows()) rows += batch.length;
    return rows;
  } finally {
    await source.close();
  }
}

async function check(file: ReleaseFile, path: string, sound: SoundRecord): Promise<string | null> {
  if (!existsSync(path)) return 'the file is missing';
  const found = await stat(path);
  if (found.size !== file.bytes) return `expected ${file.bytes} bytes, found ${found.size}`;
  const sha256 = await hashFile(path);
  // Record the result, so that servers that start later know whether to hash the file.
  sound.add(file.sha256, sha256 === file.sha256 ? stampOf(found) : 'damaged');
  if (sha256 !== file.sha256) return `its content has changed: expected SHA-256 ${file.sha256}, found ${sha256}`;
  try {
    const rows = await countRows(file, path);
    return rows === null || rows === file.rows ? null : `expected ${file.rows} rows, found ${rows}`;
  } catch (error) {
    return `it cannot be read: ${(error as Error).message}`;
  }
}

/**
 * Re-reads every file of a release and checks size, SHA-256 (one flipped bit changes it) and row count. It also checks that the
 * rows of each partition add up. Of a pack it reads what that holds. Returns the damaged files; if a shard of the manifest is, the shards alone were checked.
 * @param visit called with each file's path before it is read.
 */
export async function verify(
  releases: string,
  manifest: Manifest,
  visit: (path: string, index: number, total: number) => void = () => {},
): Promise<Verification> {
  const damage: Damage[] = [];
  const sound = new SoundRecord(dirname(releases));
  const bytesOf = (of: readonly ReleaseFile[]) => of.reduce((sum, { bytes }) => sum + bytes, 0);
  const checkAll = async (of: readonly ReleaseFile[], before: number, total: number) => {
    for (const [i, file] of of.entries()) {
      visit(file.path, before + i, total);
      const problem = await check(file, join(releases, file.path), sound);
      if (problem) damage.push({ path: file.path, problem });
    }
  };
  const shards = shardFilesOf(manifest);
  await checkAll(shards, 0, shards.length);
  // Which files there are beside them is not known then.
  if (damage.length) return { release: manifest.id, files: shards.length, bytes: bytesOf(shards), damage };
  const pack = readPack(dirname(releases));
  const held = new Set(pack?.files);
  const files = filesOf(manifest).filter(({ path }) => !pack || held.has(path));
  await checkAll(files.slice(shards.length), shards.length, files.length);
  for (const [dataset, layers] of Object.entries(manifest.datasets))
    for (const [layer, version] of Object.entries(layers))
      for (const partition of eachPartition(version)) {
        const held = partition.parts?.reduce((sum, { rows }) => sum + rows, 0) ?? partition.rows;
        for (const file of partition.files)
          if (
            (file.role === 'features' || file.role === 'rows') &&
            (file.rows !== partition.rows || file.rows !== held)
          )
            damage.push({
              path: file.path,
              problem: `${dataset}:${layer} ${partition.key}: the partition has ${partition.rows} rows${partition.parts ? `, its parts ${held}` : ''}, the file ${file.rows}`,
            });
      }
  for (const [sha256, overlays] of Object.entries(manifest.overlays ?? {})) {
    const parcels = files.find(file => file.role === 'features' && file.sha256 === sha256);
    // A pack has the calculations of the parcels that it has.
    for (const [dataset, overlay] of Object.entries(pack && !parcels ? {} : overlays))
      for (const file of overlay.files)
        if (file.rows !== parcels?.rows)
          damage.push({
            path: file.path,
            problem: `overlay ${dataset}: the parcels have ${parcels?.rows ?? 'no file of'} rows, the file ${file.rows}`,
          });
  }
  return { release: manifest.id, files: files.length, bytes: bytesOf(files), damage };
}
