import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { ReadError } from '../../../ingest/reader.ts';

const COUNT = 600;

const KINDS: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  deflate: ['-co', 'COMPRESS=DEFLATE', '-co', 'TILED=YES', '-co', 'BLOCKXSIZE=64', '-co', 'BLOCKYSIZE=64'],
  lzw: ['-ot', 'Float32', '-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=3'],
  zstd: ['-co', 'COMPRESS=ZSTD'],
  packbits: ['-co', 'COMPRESS=PACKBITS'],
  lerc: ['-ot', 'Float32', '-co', 'COMPRESS=LERC_ZSTD'],
  'cloud-optimised': ['-of', 'COG', '-co', 'BLOCKSIZE=128', '-co', 'COMPRESS=LZW'],
};

describe('a damaged GeoTIFF', { tags: ['GDAL'] }, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'plat-tiff-'));
    const rows = Array.from({ length: 160 }, (_, r) =>
      Array.from({ length: 200 }, (_, c) => (r * 7 + c * 3) % 251).join(' '),
    );
    const head = 'ncols 200\nnrows 160\nxllcorner 0\nyllcorner 0\ncellsize 0.005\n';
    writeFileSync(join(folder, 'grid.asc'), `${head}${rows.join('\n')}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(KINDS))(
    '%s: cut or with a flipped bit it is read or refused with a ReadError, soon',
    async (_, options) => {
      const path = join(folder, 'damaged.tif');
      execFileSync('gdal_translate', ['-q', '-a_srs', 'EPSG:4326', ...options, join(folder, 'grid.asc'), path], {
        stdio: 'ignore',
      });
      const good = readFileSync(path);
      let state = 7;
      const random = () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const blocks = async () => {
        const source = await openSource(path, { options: {} });
        try {
          let count = 0;
          for await (const batch of source.rows()) count += batch.length;
          return count;
        } finally {
          await source.close();
        }
      };
      expect(await blocks()).toBeGreaterThan(0);
      let [refused, cut] = [0, 0];
      for (let k = 0; k < COUNT; k++) {
        let bytes = Buffer.from(good);
        // A third each: cut, a bit of the directory, a bit anywhere.
        if (k % 3 === 0) {
          bytes = bytes.subarray(0, Math.floor(random() * good.length));
          cut++;
        } else {
          const bit = Math.floor(random() * 8 * (k % 3 === 1 ? Math.min(700, good.length) : good.length));
          bytes[bit >> 3]! ^= 1 << (bit & 7);
        }
        writeFileSync(path, bytes);
        try {
          await blocks();
        } catch (error) {
          expect(error, `${k}`).toBeInstanceOf(ReadError);
          refused++;
        }
      }
      expect(refused).toBeGreaterThanOrEqual(cut * 0.9);
      expect(refused).toBeLessThanOrEqual(COUNT);
    },
  );
});
