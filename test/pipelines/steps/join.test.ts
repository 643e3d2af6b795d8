import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Join } from '../../../datasets/place/place.ts';
import { readLimits, setReadLimits } from '../../../ingest/read-limits.ts';
import { Joins } from '../../../pipelines/steps/join.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-join-'));
afterAll(() => rmSync(folder, { recursive: true }));

const table = (name: string, text: string) => writeFileSync(join(folder, name), `${text.replaceAll(' ', '\n')}\n`);
beforeAll(() => {
  table('units.csv', 'mukey,muname 1,loam 2,muck 3,rock 3,again');
  table(
    'component.csv',
    'mukey,cokey,comppct_r,corcon 1,10,60,Low 1,9,40,High 2,100,45,Low 2,20,45,High 2,3,,Moderate',
  );
  table(
    'chorizon.csv',
    'cokey,hzdept_r,hzdepb_r,lep_r 10,0,20,1 10,20,150,2 20,0,30, 20,30,80,4 9,0,100,9 100,0,100,9 30,120,200,5',
  );
});

const units: Join = { file: 'units.csv', prefix: 'unit', key: 'mukey', to: 'MUKEY' };
const component: Join = {
  file: 'component.csv',
  prefix: 'component',
  key: 'mukey',
  to: 'MUKEY',
  greatest: { of: 'comppct_r', ties: 'cokey' },
};
const horizon: Join = {
  file: 'chorizon.csv',
  prefix: 'chorizon',
  key: 'cokey',
  to: 'component.cokey',
  mean: { value: 'lep_r', top: 'hzdept_r', bottom: 'hzdepb_r', within: [0, 100] },
};
const load = (joins: Join | readonly Join[], columns: readonly string[] = []) =>
  Joins.load({ join: joins }, columns, null, folder, '2026-01-01');

describe('joins', () => {
  it('add the columns of one row, of none, and refuse to guess between several', async () => {
    const joins = await load(units, ['MUKEY', 'unit.muname']);
    expect(joins.extend({ MUKEY: '1' })).toEqual({ MUKEY: '1', 'unit.mukey': '1', 'unit.muname': 'loam' });
    expect(joins.extend({ MUKEY: '4' })).toEqual({ MUKEY: '4' });
    expect(joins.extend({ MUKEY: null })).toEqual({ MUKEY: null });
    expect(() => joins.extend({ MUKEY: '3' })).toThrow('several joined rows have the key 3');
    expect([joins.owns('unit.muname'), joins.owns('unitary'), joins.owns('MUKEY')]).toEqual([true, false, false]);
    const strict = await load({ ...units, required: true });
    expect(() => strict.extend({ MUKEY: '4' })).toThrow('no joined row has the key 4');
  });

  it('take the row with the greatest number, of equals that with the lowest key as a number', async () => {
    const joins = await load(component);
    expect(joins.extend({ MUKEY: '1' })).toMatchObject({ 'component.cokey': '10', 'component.corcon': 'Low' });
    expect(joins.extend({ MUKEY: '2' })).toMatchObject({ 'component.cokey': '20', 'component.corcon': 'High' });
  });

  it('follow one another, and average slices over the depths that count', async () => {
    const joins = await load([component, horizon], ['chorizon.lep_r']);
    // 20 cm of 1 and 80 of the 130 cm of 2.
    expect(joins.extend({ MUKEY: '1' })['chorizon.lep_r']).toBeCloseTo((20 * 1 + 80 * 2) / 100, 12);
    // The slice without a value does not count.
    expect(joins.extend({ MUKEY: '2' })['chorizon.lep_r']).toBe(4);
    expect(joins.extend({ MUKEY: '5' })).toEqual({ MUKEY: '5' });
    const deep = await load({ ...horizon, to: 'cokey' });
    expect(deep.extend({ cokey: '30' })['chorizon.lep_r']).toBeNull();
  });

  it('do not say that nothing joins where the row that does may have been too large to be read', async () => {
    const usual = readLimits();
    setReadLimits({ ...usual, lineMb: 1 });
    try {
      table('large.csv', `mukey,muname 1,loam 2,${'x'.repeat(2 ** 21)}`);
      const joins = await load({ ...units, file: 'large.csv' });
      expect(joins.extend({ MUKEY: '1' })).toMatchObject({ 'unit.muname': 'loam' });
      expect(joins.extend({ MUKEY: null })).toEqual({ MUKEY: null });
      expect(() => joins.extend({ MUKEY: '2' })).toThrow(
        'no joined row has the key 2, but 1 of large.csv were too large to be read',
      );
    } finally {
      setReadLimits(usual);
    }
  });

  it('name the columns that a joined file lacks', async () => {
    await expect(load(units, ['unit.muname', 'unit.farmlndcl'])).rejects.toMatchObject({
      name: 'ReadError',
      code: 'column_missing',
      message: 'units.csv: no column "farmlndcl"; the file has mukey, muname',
    });
    await expect(load({ ...component, greatest: { of: 'share', ties: 'cokey' } })).rejects.toThrow(/no column "share"/);
  });
});
