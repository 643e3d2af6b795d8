import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Join } from '../../../datasets/place/place.ts';
import { joinLine } from '../../../pipelines/commands/count-lines.ts';
import { Joins } from '../../../pipelines/steps/join.ts';
import { HEAD, problems } from '../place/problems.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-several-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'units.csv'),
  'pin,owner,area\n1,Ann,"1,200"\n1,Bob,800\n1,Ann,\n2,Cid,500\n3,Dee,100\n3,,250\n4,Eve,large\n4,Fay,9\n',
);

const units: Join = { file: 'units.csv', prefix: 'unit', key: 'pin', to: 'PIN' };
const COLUMNS = ['unit.owner', 'unit.area'];
const load = (several?: Join['several']) =>
  Joins.load(
    { join: { ...units, ...(several === undefined ? {} : { several }) } },
    COLUMNS,
    null,
    folder,
    '2026-01-01',
  );
const took = async (several: Join['several'], PIN: string) => {
  const { PIN: _, ...joined } = (await load(several)).extend({ PIN });
  return joined;
};

describe('several rows of one key', () => {
  it('reject the row unless a word says what they become', async () => {
    for (const joins of [await load(), await load('reject')]) {
      expect(() => joins.extend({ PIN: '1' })).toThrow('several joined rows have the key 1');
      expect(joins.extend({ PIN: '2' })).toMatchObject({ 'unit.owner': 'Cid', 'unit.area': '500' });
    }
  });

  it('are the first, counted, listed, added up or nothing', async () => {
    expect(await took('first', '1')).toMatchObject({ 'unit.owner': 'Ann', 'unit.area': '1,200' });
    expect(await took('count', '1')).toEqual({ 'unit.owner': 3, 'unit.area': 2 });
    expect(await took('count', '2')).toEqual({ 'unit.owner': 1, 'unit.area': 1 });
    expect(await took('list', '1')).toEqual({ 'unit.owner': 'Ann; Bob', 'unit.area': '1,200; 800' });
    expect(await took(null, '1')).toEqual({ 'unit.owner': null, 'unit.area': null });
    expect(await took(null, '2')).toEqual({ 'unit.owner': 'Cid', 'unit.area': '500' });
  });

  it('are settled column by column', async () => {
    const words = { owner: 'list', area: 'sum' } as const;
    expect(await took(words, '3')).toEqual({ 'unit.owner': 'Dee', 'unit.area': 350 });
    // One area is missing: what they add up to is not known.
    expect(await took(words, '1')).toEqual({ 'unit.owner': 'Ann; Bob', 'unit.area': null });
    expect(await took({ owner: 'reject', area: 'sum' }, '2')).toEqual({ 'unit.owner': 'Cid', 'unit.area': '500' });
    const strict = await load({ owner: 'reject', area: 'sum' });
    expect(() => strict.extend({ PIN: '3' })).toThrow(
      'several joined rows have the key 3; column unit.owner: one of 2 values would be a guess',
    );
    const sums = await load(words);
    expect(() => sums.extend({ PIN: '4' })).toThrow('column unit.area: "large" is no number');
    expect(sums.extend({ PIN: '5' })).toEqual({ PIN: '5' });
  });

  it('are counted: rows to which something, nothing or several joined', async () => {
    const joins = await load('first');
    for (const PIN of ['1', '2', '9', null, '3']) {
      joins.extend({ PIN });
      joins.count();
    }
    // A row that the mapping skips does not count; one that is rejected does.
    joins.extend({ PIN: '2' });
    const [count] = joins.counts;
    expect(count).toEqual({ file: 'units.csv', prefix: 'unit', joined: 3, unjoined: 2, several: 2 });
    expect(joinLine(count!)).toBe('joined unit: 3 of 5 rows (60.0 %) to units.csv, 2 of them to several rows');
    const strict = await load();
    expect(() => strict.extend({ PIN: '1' })).toThrow();
    expect(strict.counts).toMatchObject([{ joined: 1, unjoined: 0, several: 1 }]);
  });

  it('are of columns that the file has, its key among them', async () => {
    await expect(load({ owner: 'first', area: 'sum', size: 'sum' })).rejects.toThrow(/units\.csv: no column "size"/);
    await expect(
      Joins.load({ join: { ...units, key: 'parcel' } }, COLUMNS, null, folder, '2026-01-01'),
    ).rejects.toThrow(/units\.csv: no column "parcel"[^;]*; the file has pin, owner, area/);
  });
});

const TEXT = `${HEAD}layers:
  - dataset: usfws_nwi
    layer: main
    file: wetlands.geojson
    join:
      - file: kinds.csv
        prefix: kind
        key: code
        to: CODE
        several: first
    columns: { ATTRIBUTE: CODE, WETLAND_TYPE: kind.name, ACRES: kind.acres }
    provenance: { source: s, title: t, publisher: p, url: null, licence: l, vintage: v, note: null }
`;

describe('several in a place file', () => {
  const cases: [string, string, string, string][] = [
    [
      'an unknown word',
      'several: first',
      'several: last',
      '15:18: "last" is none of the values allowed here: "reject", "first", "sum", "count", "list" or null',
    ],
    [
      'an unknown word of a column',
      'several: first',
      'several: { name: first, acres: mean }',
      '15:40: "mean" is none of the values allowed here: ',
    ],
    [
      'a column that is read and not settled',
      'several: first',
      'several: { name: first }',
      '15:18: does not say what several values of kind.acres become',
    ],
    [
      'another rule beside it',
      'several: first',
      'several: first\n        greatest: { of: acres, ties: code }',
      '15:18: greatest or mean says already',
    ],
    [
      'a prefix that stands twice',
      '    columns',
      '      - { file: more.csv, prefix: kind, key: a, to: b }\n    columns',
      '16:35: "kind" is the prefix of another join too',
    ],
    [
      'a geometry twice',
      'several: first',
      'geometry: true\n      - { file: more.csv, prefix: more, key: a, to: b, geometry: true }',
      '16:66: another join brings the geometry already',
    ],
    [
      'a geometry of averages',
      'several: first',
      'geometry: true\n        mean: { value: a, top: b, bottom: c, within: [0, 1] }',
      '15:19: rows that are averaged have no geometry',
    ],
    ['a key that is no expression', 'key: code', 'key: 5', '13:14: 5 is no column expression'],
    [
      'a join that is nothing beside an expectation',
      'several: first',
      'several: first\n      - null\n    expect: { hits: { kind: 1 } }',
      '16:9: null must be object',
    ],
    ['a join that is none', '- file: kinds.csv', '- 5\n      - file: kinds.csv', '11:9: 5 must be object'],
  ];
  it('is right', () => expect(problems(TEXT)).toEqual([]));
  for (const [name, from, to, expected] of cases)
    it(`has errors that name ${name}`, () => {
      expect(TEXT).toContain(from);
      const lines = problems(TEXT.replace(from, to));
      expect(lines.filter(line => line.startsWith(`my.yaml:${expected}`))).toHaveLength(1);
    });
});
