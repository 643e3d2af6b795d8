import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { scratch } from '../readers/scratch.ts';

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
    ['lines that end in several ways', 'pin,owner\r\n001,"PEÑA, A"\n002,B\r', [/several ways/]],
  ])('with %s is read, and says so', async (name, content, notes) => {
    const found = await read(`${name.replaceAll(' ', '-')}.csv`, content);
    expect(found.rows).toEqual(ROWS);
    expect(found.notes).toEqual(notes.map(note => expect.stringMatching(note)));
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
