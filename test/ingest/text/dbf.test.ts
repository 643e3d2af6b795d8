import { describe, expect, it } from 'vitest';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openSource } from '../../../ingest/format.ts';
import type { Row } from '../../../ingest/reader.ts';
import { failureOf, readRows, scratch } from '../readers/scratch.ts';
import { dbf, type Field } from '../readers/shapefile-bytes.ts';

const write = scratch();

async function read(path: string, options: FormatOptions = {}) {
  const source = await openSource(path, { options });
  const rows: Row[] = [];
  for await (const batch of source.rows()) rows.push(...batch);
  await source.close();
  return { rows, notes: source.findings!.notes };
}

const FIELDS: readonly Field[] = [
  ['PIN', 'C', 5],
  ['OWNER', 'C', 6],
  ['N', 'N', 18],
  ['SOLD', 'D', 8],
  ['FREE', 'L', 1],
];
const record = (flag: string, pin: string, owner: string, n: string, sold: string, free: string) =>
  Buffer.from(`${flag}${pin.padEnd(5)}${owner.padEnd(6)}${n.padStart(18)}${sold.padEnd(8)}${free}`, 'latin1');
const RECORDS = [
  record(' ', '001', 'PE\xd1A', '123456789012345678', '20240301', 'T'),
  record('*', '002', 'gone', '1', '', '?'),
  record(' ', '003', '', '*****', '00000000', 'N'),
  record(' ', '004', 'B', '1,5', '', '?'),
];

describe('a .dbf alone', () => {
  it('is read as one beside a shapefile: dates, truth, deleted records, digits, and what is no number', async () => {
    const { rows, notes } = await read(write('alone.dbf', dbf(FIELDS, RECORDS)));
    expect(rows.map(({ number, properties }) => [number, properties])).toEqual([
      [1, { PIN: '001', OWNER: 'PEÑA', N: '123456789012345678', SOLD: '2024-03-01', FREE: true }],
      [3, { PIN: '003', OWNER: null, N: null, SOLD: null, FREE: false }],
      [4, { PIN: '004', OWNER: 'B', N: '1,5', SOLD: null, FREE: null }],
    ]);
    expect(notes).toEqual(['text read as windows-1252 in 1 cell that is no text of utf-8']);
  });

  it('heeds the .cpg beside it, notices one that lies, and an option that does', async () => {
    const path = write('lies.dbf', dbf(FIELDS, RECORDS, 87));
    write('lies.cpg', 'UTF-8');
    const owners = ({ rows }: { rows: readonly Row[] }) => rows.map(({ properties }) => properties.OWNER);
    const declared = await read(path);
    expect(owners(declared)).toEqual(['PEÑA', null, 'B']);
    expect(declared.notes).toEqual([expect.stringMatching(/windows-1252: the \.cpg says utf-8, but 1 of 1 cell/)]);
    const stated = await read(path, { encoding: 'utf-8' });
    expect(owners(stated)).toEqual(['PEÑA', null, 'B']);
    expect(stated.notes).toEqual([expect.stringMatching(/in 1 cell that is no text of utf-8/)]);
    expect(owners(await read(path, { encoding: 'cp437' }))).toEqual(['PE╤A', null, 'B']);
    expect((await failureOf(path, { encoding: 'klingon' })).message).toMatch(/text encoding "klingon" is unknown/);
  });

  it('tells names of columns that are no text of the encoding from cells that are none', async () => {
    const path = write('names.dbf', dbf([['A\xd1O', 'C', 6]], [Buffer.from(' 2024  ')]));
    const { rows, notes } = await read(path);
    expect(rows.map(({ properties }) => properties)).toEqual([{ AÑO: '2024' }]);
    expect(notes).toEqual(['text read as windows-1252 in 1 column name that is no text of utf-8']);
  });

  it('judges its encoding by text alone: blocks of memos have any bytes', async () => {
    const fields: readonly Field[] = [
      ['OWNER', 'C', 6],
      ['NOTE', 'M', 4],
    ];
    const path = write(
      'blocks.dbf',
      dbf(fields, [Buffer.concat([Buffer.from(' PEÑA '), Buffer.from([0xc9, 1, 0, 0])])]),
    );
    write('blocks.cpg', 'UTF-8');
    const { rows, notes } = await read(path);
    expect(rows[0]!.properties).toEqual({ OWNER: 'PEÑA', NOTE: null });
    expect(notes).toEqual([expect.stringMatching(/^memos are/)]);
  });

  it('of FoxPro has its whole numbers, doubles, money and times; memos are told', async () => {
    const values = Buffer.alloc(28);
    values.writeInt32LE(-7, 0);
    values.writeDoubleLE(1.25, 4);
    values.writeBigInt64LE(12_345_600n, 12);
    values.writeInt32LE(2_460_371, 20);
    values.writeInt32LE(36_000_000, 24);
    const fields: readonly Field[] = [
      ['I', 'I', 4],
      ['B', 'B', 8],
      ['Y', 'Y', 8],
      ['T', 'T', 8],
      ['NOTE', 'M', 10],
    ];
    const { rows, notes } = await read(
      write('fox.dbf', dbf(fields, [Buffer.concat([Buffer.from(' '), values, Buffer.from('         1')])])),
    );
    expect(rows[0]!.properties).toEqual({ I: -7, B: 1.25, Y: 1234.56, T: '2024-03-01T10:00:00', NOTE: null });
    expect(notes).toEqual(['memos are in a file of their own, which is not read; without a value: NOTE']);
  });

  it('is read under a name without its ending, where the place says what it is', async () => {
    const rows = await readRows(write('lots.bin', dbf(FIELDS, RECORDS)), {}, 'dbf');
    expect(rows.map(({ number }) => number)).toEqual([1, 3, 4]);
  });

  it('that ends early is refused', async () => {
    const bytes = dbf(FIELDS, RECORDS);
    expect((await failureOf(write('cut.dbf', bytes.subarray(0, -20)))).code).toBe('file_truncated');
    expect((await failureOf(write('head.dbf', bytes.subarray(0, 40)))).code).toBe('file_truncated');
  });
});
