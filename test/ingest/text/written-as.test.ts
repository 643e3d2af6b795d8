import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { readRows, scratch } from '../readers/scratch.ts';

const write = scratch();
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

async function read(name: string, content: string | Buffer, options = {}) {
  const source = await openSource(write(name, content), { options });
  const rows: unknown[] = [];
  for await (const batch of source.rows()) rows.push(...batch.map(row => row.properties));
  await source.close();
  return { rows, notes: source.findings!.notes, capped: source.findings!.capped, isAnswer: source.findings!.isAnswer };
}

const ROWS = [
  { pin: '001', owner: 'PEÑA, A' },
  { pin: '002', owner: 'B' },
];

describe('a CSV file', () => {
  it.each<[string, string | Buffer, RegExp[]]>([
    ['commas', 'pin,owner\n001,"PEÑA, A"\n002,B\n', []],
    ['a line for Excel', 'sep=;\npin;owner\n001;PEÑA, A\n002;B\n', [/sep=;/]],
    ['semicolons', 'pin;owner\n001;PEÑA, A\n002;B\n', [/semicolon/]],
    ['tabs', 'pin\towner\n001\tPEÑA, A\n002\tB\n', [/a tab/]],
    ['bars', 'pin|owner\n001|PEÑA, A\n002|B\n', [/vertical bar/]],
    ['UTF-16 with a mark', utf16('\ufeffpin,owner\r\n001,"PEÑA, A"\r\n002,B\r\n', false), [/UTF-16LE/]],
    ['UTF-16 without one', utf16('pin,owner\n001,"PEÑA, A"\n002,B\n', false), [/UTF-16LE/]],
    ['big-endian UTF-16', utf16('\ufeffpin;owner\n001;PEÑA, A\n002;B\n', true), [/UTF-16BE/, /semicolon/]],
    ['big-endian UTF-16 without a mark', utf16('pin,owner\n001,"PEÑA, A"\n002,B\n', true), [/UTF-16BE/]],
    [
      'Windows-1252',
      Buffer.from('pin,owner\n001,"PEÑA, A"\n002,B\n', 'latin1'),
      [/windows-1252 in 1 line that is no text of utf-8/],
    ],
    ['a delimiter at the end of the header', 'pin\towner\t\n001\tPEÑA, A\n002\tB\n', [/a tab/]],
    ['lines that end in several ways', 'pin,owner\r\n001,"PEÑA, A"\n002,B\r', [/several ways/]],
  ])('with %s is read, and says so', async (name, content, notes) => {
    const found = await read(`${name.replaceAll(' ', '-')}.csv`, content);
    expect(found.rows).toMatchObject(ROWS);
    expect(found.rows).toHaveLength(ROWS.length);
    expect(found.notes).toEqual(notes.map(note => expect.stringMatching(note)));
  });
});

describe('text of several encodings', () => {
  it('is read line by line, however large the file is', async () => {
    const lines = [Buffer.from('pin,owner\n'), Buffer.from('1,PEÑA\n'), Buffer.from('2,PEÑA\n', 'latin1')];
    const many = Array.from({ length: 40_000 }, (_, i) => lines[1 + (i % 2)]!);
    const { rows, notes } = await read('several.csv', Buffer.concat([lines[0]!, ...many]));
    expect(new Set(rows.map(row => (row as { owner: string }).owner))).toEqual(new Set(['PEÑA']));
    expect(notes).toEqual(['text read as windows-1252 in 20000 lines that are no text of utf-8']);
  });

  it('is told by lines that end in CR alone', async () => {
    const content = Buffer.concat([Buffer.from('pin,owner\r1,PEÑA\r'), Buffer.from('2,PEÑA\r3,B\r', 'latin1')]);
    const { rows, notes } = await read('old.csv', content);
    expect(rows).toEqual(['PEÑA', 'PEÑA', 'B'].map((owner, i) => ({ pin: `${i + 1}`, owner })));
    expect(notes).toEqual(['text read as windows-1252 in 1 line that is no text of utf-8']);
  });

  it('that the place states is checked too', async () => {
    const content = Buffer.from('pin,owner\n1,PEÑA\n', 'latin1');
    const stated = await read('stated.csv', content, { encoding: 'utf-8' });
    expect(stated).toMatchObject({
      rows: [{ owner: 'PEÑA' }],
      notes: [expect.stringMatching(/windows-1252 in 1 line/)],
    });
    expect(await read('right.csv', content, { encoding: 'cp1252' })).toMatchObject({
      rows: [{ owner: 'PEÑA' }],
      notes: [],
    });
  });

  it('of KML is that of its mark or declaration', async () => {
    const kml = (head: string) => `${head}<kml><Document><Placemark><name>PEÑA</name></Placemark></Document></kml>`;
    const declared = (name: string) => kml(`<?xml version="1.0" encoding="${name}"?>`);
    const contents: Readonly<Record<string, Buffer>> = {
      none: Buffer.from(kml('')),
      latin: Buffer.from(declared('ISO-8859-1'), 'latin1'),
      marked: utf16(`\ufeff${declared('UTF-16')}`, true),
      little: utf16(declared('UTF-16'), false),
      anew: Buffer.from(declared('utf-16')),
    };
    for (const [name, content] of Object.entries(contents)) {
      const rows = await readRows(write(`${name}.kml`, content));
      expect([name, ...rows.map(({ properties }) => properties.name)]).toEqual([name, 'PEÑA']);
    }
  });
});

describe('an answer that a server ended early', () => {
  const feature = { type: 'Feature', id: 1, properties: { a: 1 }, geometry: null };
  const collection = (before: object, after: object = {}) =>
    JSON.stringify({ type: 'FeatureCollection', ...before, features: [feature], ...after });

  it.each<[string, string, RegExp | null]>([
    ['exceededTransferLimit', collection({ exceededTransferLimit: true }), /exceededTransferLimit/],
    ['the same within properties', collection({}, { properties: { exceededTransferLimit: true } }), /exceeded/],
    ['more matched than returned', collection({}, { numberMatched: 500, numberReturned: 1 }), /found 500 rows/],
    ['a next page', collection({ links: [{ rel: 'next', href: '…' }] }), /next page/],
    ['all of it', collection({ exceededTransferLimit: false, numberMatched: 1, numberReturned: 1 }), null],
  ])('is known by %s', async (name, text, why) => {
    const { capped, isAnswer } = await read(`${name.replaceAll(' ', '-')}.geojson`, text);
    expect(isAnswer).toBe(true);
    if (why) expect(capped).toMatch(why);
    else expect(capped).toBeNull();
  });
});
