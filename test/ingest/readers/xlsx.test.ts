import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';
import { damaged, zipOf } from './zip.ts';

const write = scratch();
const NS = 'http://schemas.openxmlformats.org';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

type Cell = string | number | boolean | null | { readonly date: number };

function cellXml(cell: Cell, reference: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'string')
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  return `<c r="${reference}" s="1"><v>${cell.date}</v></c>`;
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row, r) => {
    const cells = row.map((cell, c) => cellXml(cell, `${String.fromCharCode(65 + c)}${r + 1}`)).join('');
    // Programs leave out the rows without a cell.
    return row.length === 0 ? '' : `<row r="${r + 1}">${cells}</row>`;
  });
  return `${XML}<worksheet xmlns="${NS}/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

/** A workbook of sheets by name; style 1 is a date. */
function workbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const names = Object.keys(sheets);
  const relation = (i: number, type: string, target: string) =>
    `<Relationship Id="rId${i}" Type="${NS}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  return zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="${NS}/package/2006/content-types"></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${NS}/package/2006/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheets>${names
      .map((n, i) => `<sheet name="${n.replaceAll('&', '&amp;')}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${NS}/package/2006/relationships">${names
      .map((_, i) => relation(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`))
      .join('')}${relation(names.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${NS}/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(names.map((n, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheetXml(sheets[n]!)])),
    ...more,
  });
}

const plants: Cell[][] = [
  ['Inventory of Operating Generators as of September 2026'],
  [],
  ['Plant ID', 'Plant Name', 'Latitude', 'Longitude', 'Online', 'Retired'],
  ['00007', ' Old Mill ', 44.5, -68.25, { date: 45292 }, false],
  [null, null, null, null, null, null],
  [8, 'Dam', null, -68, { date: 45292.5 }, true],
];

describe('XLSX', () => {
  it('finds a sheet whose name changes with the edition by what stays of it', async () => {
    const file = write(
      'srl.xlsx',
      await workbook({ UNT23: [['A'], ['unit']], SRL23: [['A'], ['region']], ST23: [['A']] }),
    );
    const rowsAt = async (sheet: string) => (await readRows(file, { sheet })).map(({ properties }) => properties.A);
    expect(await rowsAt('SRL*')).toEqual(['region']);
    await expect(rowsAt('*23')).rejects.toThrow('has 3 sheets "*23"; it holds UNT23, SRL23, ST23');
    await expect(rowsAt('SRL')).rejects.toThrow('has no sheet "SRL"');
  });

  it('reads cells by their types, skipping a title and blank rows', async () => {
    const path = write('a.xlsx', await workbook({ Operating: plants }));
    const rows = await readRows(path, { skipLines: 2, x: 'Longitude', y: 'Latitude' });
    expect(rows.map(r => r.properties)).toEqual([
      {
        'Plant ID': '00007',
        'Plant Name': ' Old Mill ',
        Latitude: 44.5,
        Longitude: -68.25,
        Online: '2024-01-01',
        Retired: false,
      },
      {
        'Plant ID': 8,
        'Plant Name': 'Dam',
        Latitude: null,
        Longitude: -68,
        Online: '2024-01-01T12:00:00.000Z',
        Retired: true,
      },
    ]);
    expect(rows.map(r => r.geometry && [...r.geometry.xy])).toEqual([[-68.25, 44.5], null]);
  });

  it('reads the sheet asked for', async () => {
    const path = write('two.xlsx', await workbook({ Notes: [['x']], 'R&D': [['a'], [1]] }));
    const source = await openSource(path, { options: { sheet: 'R&D' } });
    expect([source.columns, source.count, source.crs]).toEqual([['a'], 1, null]);
    expect(await readRows(path, { sheet: 'Notes' })).toEqual([]);
    expect(await readRows(path, { sheet: 'Notes', header: ['v'] })).toMatchObject([{ properties: { v: 'x' } }]);
  });
});

describe('XLSX of another writer', () => {
  it('reads what GDAL writes, with its shared strings', { tags: ['GDAL'] }, async () => {
    const csv = write('gdal.csv', 'name,pop,founded\nBangor & co,32000.5,1934-02-12\n,7,\nBangor & co,,\n');
    const path = csv.replace(/csv$/, 'xlsx');
    execFileSync('ogr2ogr', ['-f', 'XLSX', path, csv, '-oo', 'AUTODETECT_TYPE=YES'], { stdio: 'pipe' });
    expect((await readRows(path)).map(r => r.properties)).toEqual([
      { name: 'Bangor & co', pop: 32000.5, founded: '1934-02-12' },
      { name: null, pop: 7, founded: null },
      { name: 'Bangor & co', pop: null, founded: null },
    ]);
  });
});

describe('damaged XLSX', () => {
  it('refuses what it cannot choose or trust', async () => {
    const whole = await workbook({ Operating: plants, Planned: [['a']], Empty: [] });
    const path = write('b.xlsx', whole);
    expect(await failureOf(path)).toMatchObject({
      code: 'part_missing',
      file: path,
      message: expect.stringMatching(/Operating, Planned, Empty/),
    });
    expect(await failureOf(path, { sheet: 'Retired' })).toMatchObject({ code: 'part_missing' });
    expect(await failureOf(path, { sheet: 'Empty' })).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(path, { sheet: 'Planned', x: 'lon', y: 'lat' })).toMatchObject({ code: 'column_missing' });
    expect(await failureOf(write('cut.xlsx', whole.subarray(0, 600)))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('dam.xlsx', damaged(whole)), { sheet: 'Planned' })).toMatchObject({
      name: 'ReadError',
      code: 'file_corrupt',
    });
    expect(await failureOf(write('no.xlsx', 'a,b'))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(write('empty.xlsx', ''))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('zip.xlsx', await zipOf({ 'a.csv': 'a' })))).toMatchObject({
      code: 'file_corrupt',
      message: expect.stringMatching(/no XLSX workbook/),
    });
  });

  it.each(['hpi_at_county.xlsx', 'hpi_at_county.csv'])(
    'has its header further down in %s, below titles and a gap',
    async name => {
      // As FHFA's index by county, whose address that ends in .csv sends the workbook too: titles, a gap, the header in line 6.
      const titles = [['House Price Index'], ['Developmental'], ['Not seasonally adjusted'], ['Source: FHFA']];
      const header = ['State', 'County', 'FIPS code', 'Year', 'Annual Change (%)', 'HPI'];
      const rows: Cell[][] = [
        ['ME', 'Penobscot', '23019', 2024, '.', 201.5],
        ['ME', 'Penobscot', '23019', 2025, 5.61, 212.81],
      ];
      const path = write(name, await workbook({ county: [...titles, [], header, ...rows] }));
      const read = await readRows(path, { skipLines: 5 });
      expect(
        read.map(({ properties }) => [properties['FIPS code'], properties.Year, properties['Annual Change (%)']]),
      ).toEqual([
        ['23019', 2024, '.'],
        ['23019', 2025, 5.61],
      ]);
    },
  );

  it('keeps all digits of whole numbers beyond 2^53, as ogr2ogr does', async () => {
    const digits = ['12345678901234567', '12345678901234568', '-9007199254740993'];
    const cells = [...digits, '9007199254740991', '1.5', '1E3'].map(text => `<c><v>${text}</v></c>`);
    const rows = ['<c t="inlineStr"><is><t>PIN</t></is></c>', ...cells].map((cell, i) =>
      `<row r="${i + 1}">${cell}</row>`.replace('<c', `<c r="A${i + 1}"`),
    );
    const sheet = sheetXml([]).replace('<sheetData>', `<sheetData>${rows.join('')}`);
    const path = write('digits.xlsx', await workbook({ S: [] }, { 'xl/worksheets/sheet1.xml': sheet }));
    const pins = (await readRows(path)).map(({ properties }) => properties.PIN);
    expect(pins).toEqual([...digits, 9007199254740991, 1.5, 1000]);
  });

  it('names the row with a cell beyond the header it was told', async () => {
    const path = write('stray.xlsx', await workbook({ S: [['a'], [1], [2, 'stray']] }));
    expect((await readRows(path))[1]!.properties).toEqual({ a: 2, column_2: 'stray' });
    expect(await failureOf(path, { header: ['a'], skipLines: 1 })).toMatchObject({ code: 'file_corrupt', row: 2 });
  });
});
