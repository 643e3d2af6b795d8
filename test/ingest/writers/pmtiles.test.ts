import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Compression, PMTiles, type Source, TileType, tileIdToZxy, zxyToTileId } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PmtilesWriter } from '../../../ingest/writers/pmtiles.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plat-pmtiles-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const about = {
  minZoom: 0,
  maxZoom: 10,
  box: [-70.5, 43.25, -70, 44] as const,
  metadata: { name: 'Test', vector_layers: [] },
};

/** Packed once a text: packing 70,000 takes longer than all that is tried. */
const packed = new Map<string, Buffer>();
function packedOf(text: string): Buffer {
  const kept = packed.get(text) ?? gzipSync(text);
  packed.set(text, kept);
  return kept;
}

/** Writes tiles and reads the file with the reader of the format's own project. */
function written(tiles: Iterable<readonly [id: number, text: string]>) {
  const path = join(folder, `${Math.random()}.pmtiles`);
  const writer = new PmtilesWriter(path);
  for (const [id, text] of tiles) writer.add(id, packedOf(text));
  const count = writer.finish(about);
  const file = readFileSync(path);
  const source: Source = {
    getKey: () => path,
    getBytes: async (from, length) => ({ data: new Uint8Array(file.subarray(from, from + length)).buffer }),
  };
  return { file, count, archive: new PMTiles(source) };
}
const textOf = async (archive: PMTiles, id: number) => {
  const found = await archive.getZxy(...tileIdToZxy(id));
  return found && Buffer.from(found.data).toString();
};

describe('an archive of tiles', () => {
  it('says in its header what is in it, as the specification has it', async () => {
    const { archive, count } = written([
      [0, 'world'],
      [zxyToTileId(9, 150, 180), 'town'],
    ]);
    expect(count).toBe(2);
    expect(await archive.getHeader()).toMatchObject({
      specVersion: 3,
      ...{ clustered: true, internalCompression: Compression.Gzip, tileCompression: Compression.Gzip },
      ...{ tileType: TileType.Mvt, minZoom: 0, maxZoom: 10 },
      ...{ minLon: -70.5, minLat: 43.25, maxLon: -70, maxLat: 44, centerLon: -70.25, centerLat: 43.625 },
      ...{ numAddressedTiles: 2, numTileEntries: 2, numTileContents: 2 },
    });
    expect(await archive.getMetadata()).toEqual(about.metadata);
    expect(await textOf(archive, 0)).toBe('world');
    expect(await textOf(archive, zxyToTileId(9, 150, 180))).toBe('town');
    expect(await textOf(archive, 1)).toBeUndefined();
  });

  it('holds tiles in a row, alike or not, each at its place', async () => {
    const { archive } = written([
      ...Array.from({ length: 500 }, (_, i) => [i, 'sea'] as const),
      ...[[500, 'land'] as const, [501, 'sea'] as const],
    ]);
    const { numAddressedTiles, numTileEntries, numTileContents } = await archive.getHeader();
    expect([numAddressedTiles, numTileEntries, numTileContents]).toEqual([502, 502, 502]);
    expect(await Promise.all([0, 499, 500, 501, 502].map(id => textOf(archive, id)))).toEqual([
      ...['sea', 'sea', 'land', 'sea'],
      undefined,
    ]);
  });

  it('has leaves below the root when there are many tiles, and each is found', async () => {
    const ids = Array.from({ length: 70_000 }, (_, i) => 5 * i + (i % 3));
    const text = (id: number) => `tile ${id % 997}`;
    const { archive } = written(ids.map(id => [id, text(id)]));
    const { leafDirectoryLength, rootDirectoryLength } = await archive.getHeader();
    expect(leafDirectoryLength).toBeGreaterThan(0);
    expect(rootDirectoryLength).toBeLessThan(200);
    for (let i = 0; i < ids.length; i += 7_777) expect(await textOf(archive, ids[i]!)).toBe(text(ids[i]!));
    expect(await textOf(archive, ids[1]! + 1)).toBeUndefined();
  });

  it('has a leaf too where a root of some thousand tiles would not end with the header', async () => {
    const sizes = Array.from({ length: 9_000 }, (_, i) => 'x'.repeat(1 + ((i * 7919) % 900)) + i);
    const { archive } = written(sizes.map((text, i) => [3 * i + ((i * 31) % 3), text]));
    expect((await archive.getHeader()).rootDirectoryLength).toBeLessThan(16_384 - 127);
    expect(await textOf(archive, 3 * 8_999 + ((8_999 * 31) % 3))).toBe(sizes[8_999]);
  });

  it('may be empty', async () => {
    const { archive, count } = written([]);
    expect([count, await textOf(archive, 0)]).toEqual([0, undefined]);
  });

  it('is the same in every byte for the same tiles', () => {
    const tiles = Array.from({ length: 300 }, (_, i) => [2 * i, `tile ${i % 50}`] as const);
    expect(written(tiles).file.equals(written(tiles).file)).toBe(true);
  });
});
