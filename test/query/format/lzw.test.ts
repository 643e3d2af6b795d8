import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromArrayBuffer } from 'geotiff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeLzw } from '../../../query/format/lzw.ts';
import { useBoundedDecoders } from '../../../query/format/tiff-decoder.ts';

/** A plain encoder: a clear code first, then every code as the standard has it. */
function encode(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let [held, count] = [0, 0];
  let bits = 9;
  const put = (code: number) => {
    held = (held << bits) | code;
    count += bits;
    for (; count >= 8; count -= 8) out.push((held >> (count - 8)) & 0xff);
    held &= (1 << count) - 1;
  };
  let table = new Map<string, number>();
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : table.get(text));
  put(256);
  let text = '';
  for (const byte of bytes) {
    const longer = text + String.fromCharCode(byte);
    if (codeOf(longer) !== undefined) {
      text = longer;
      continue;
    }
    put(codeOf(text)!);
    table.set(longer, 258 + table.size);
    const next = 258 + table.size;
    if (next === 4095) {
      put(256);
      table = new Map();
      bits = 9;
    } else if (next >= 1 << bits) bits++;
    text = String.fromCharCode(byte);
  }
  if (text) put(codeOf(text)!);
  // The decoder has added one more by now.
  if (258 + table.size + 1 >= 1 << bits && bits < 12) bits++;
  put(257);
  if (count) out.push((held << (8 - count)) & 0xff);
  return Uint8Array.from(out);
}

let state = 9;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const SAMPLES = {
  nothing: new Uint8Array(),
  'one byte': Uint8Array.of(7),
  'one byte often': new Uint8Array(50_000).fill(3),
  noise: Uint8Array.from({ length: 30_000 }, () => Math.floor(random() * 256)),
  steps: Uint8Array.from({ length: 40_000 }, (_, i) => (i >> 4) % 97),
};

describe('LZW of TIFF', () => {
  it.each(Object.entries(SAMPLES))('gives back %s', (_, bytes) => {
    expect(Buffer.from(decodeLzw(encode(bytes))).equals(bytes)).toBe(true);
    expect(Buffer.from(decodeLzw(encode(bytes), 100)).equals(bytes.subarray(0, 100))).toBe(true);
  });

  it('ends soon on damaged input, with an error or with other bytes', () => {
    const good = encode(SAMPLES.steps);
    let refused = 0;
    for (let k = 0; k < 2000; k++) {
      const bad = good.slice(0, k % 2 ? good.length : Math.floor(random() * good.length));
      const at = Math.floor(random() * bad.length);
      if (bad.length) bad[at]! ^= 1 << (k % 8);
      try {
        expect(decodeLzw(bad, 40_000).length).toBeLessThanOrEqual(40_000);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });

  describe('as GDAL writes it', { tags: ['GDAL'] }, () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'plat-lzw-'));
      const rows = Array.from({ length: 300 }, (_, r) =>
        Array.from({ length: 200 }, (_, c) => ((r * 7 + c * 3) % 251) + r / 64).join(' '),
      );
      writeFileSync(
        join(folder, 'grid.asc'),
        `ncols 200\nnrows 300\nxllcorner 0\nyllcorner 0\ncellsize 0.01\n${rows.join('\n')}\n`,
      );
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it.each([
      ['Byte', 1],
      ['Int16', 2],
      ['Float32', 3],
      ['Float32', 1],
    ])('%s, predictor %i', async (type, predictor) => {
      useBoundedDecoders();
      const read = async (...options: string[]) => {
        const path = join(folder, 'out.tif');
        execFileSync('gdal_translate', ['-q', '-ot', type, ...options, join(folder, 'grid.asc'), path]);
        const tiff = await fromArrayBuffer(Uint8Array.from(readFileSync(path)).buffer);
        return (await (await tiff.getImage()).readRasters())[0];
      };
      const plain = await read();
      const lzw = ['-co', 'COMPRESS=LZW', '-co', `PREDICTOR=${predictor}`];
      expect(await read('-co', 'COMPRESS=ZSTD', '-co', `PREDICTOR=${predictor}`)).toEqual(plain);
      expect(await read(...lzw)).toEqual(plain);
      expect(await read(...lzw, '-co', 'TILED=YES', '-co', 'BLOCKXSIZE=64', '-co', 'BLOCKYSIZE=64')).toEqual(plain);
    });
  });
});
