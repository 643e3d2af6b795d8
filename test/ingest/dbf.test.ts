import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dbfHeader, dbfRecord } from '../../ingest/dbf.ts';

const WIDTH = 20;
const header = Buffer.alloc(65);
header.writeUInt16LE(65, 8);
header.writeUInt16LE(1 + WIDTH, 10);
header.write('N', 32, 'latin1');
header.write('N', 43, 'latin1');
header[48] = WIDTH;
header[64] = 0x0d;
const decode = (bytes: Buffer) => bytes.toString('latin1');
const table = dbfHeader(header, 'a.dbf', decode);
const read = (text: string) => dbfRecord(table, Buffer.from(` ${text}`), 0, decode).N;

describe('DBF numbers', () => {
  it('are read to the last bit as JavaScript reads them, whatever pads them', () => {
    const numbers = fc.tuple(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.integer({ min: 0, max: 9 }),
      fc.nat(11),
    );
    fc.assert(
      fc.property(numbers, fc.constantFrom(' ', '\0'), fc.boolean(), ([mantissa, part, decimals], pad, left) => {
        const text = `${(mantissa + part / 10) / 10 ** (decimals / 2)}`.slice(0, WIDTH);
        expect(read(left ? text.padStart(WIDTH, ' ') : text.padEnd(WIDTH, pad))).toBe(Number(text));
      }),
      { seed: 20261120, numRuns: 2000 },
    );
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1.50', 1.5],
    ['-.5', -0.5],
    ['2.58395247097e-002', 0.0258395247097],
    ['********************', null],
    ['.', null],
    ['-', null],
    ['', null],
  ])('%s is %s', (text, value) => {
    expect(read(text.padEnd(WIDTH))).toBe(value);
  });
});
