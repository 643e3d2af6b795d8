import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlCommand } from '../../../pipelines/commands/sql.ts';
import type { Terminal } from '../../../query/engine/command.ts';
import { commands } from '../../../server/operations/commands.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-set-sql-'));
const before = process.env.PLAT_HOME;
beforeAll(async () => {
  process.env.PLAT_HOME = (await syntheticHome()).home;
}, 300_000);
afterAll(() => {
  if (before === undefined) delete process.env.PLAT_HOME;
  else process.env.PLAT_HOME = before;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `plat NAME` in this process. */
async function run(name: string, body: object, given: Readonly<Record<string, string | boolean>> = {}) {
  const file = join(folder, 'question.json');
  writeFileSync(file, JSON.stringify(body));
  const lines: string[] = [];
  const terminal: Terminal = { json: true, interactive: false, out: line => lines.push(line), err: () => {} };
  const command = commands.find(one => one.name === name)!;
  expect(await command.run([file], given, terminal), lines.join('\n')).toBe(0);
  return JSON.parse(lines.join('\n'));
}

/** The rows of a question's statement, as `plat sql` reads them. */
async function rowsOf(name: string, body: object) {
  const { sql, parameters } = (await run(name, body, { explain: true })) as { sql: string; parameters: unknown[] };
  const lines: string[] = [];
  const terminal: Terminal = { json: true, interactive: false, out: line => lines.push(line), err: () => {} };
  await sqlCommand.run([sql], { parameters: JSON.stringify(parameters) }, terminal);
  return { sql, parameters, rows: (JSON.parse(lines.join('\n')) as { rows: Record<string, unknown>[] }).rows };
}

const STATE = { field: 'state', op: 'in', value: ['ME', 'NH'] };
const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [-70.76, 43.08],
      [-70.64, 43.08],
      [-70.64, 43.16],
      [-70.76, 43.16],
      [-70.76, 43.08],
    ],
  ],
};
const SETS: readonly (readonly [string, readonly object[]])[] = [
  ['a number', [STATE, { field: 'acreage', op: 'between', value: [1, 5] }]],
  ['a calculation', [STATE, { field: 'nearest_road_distance_m', op: 'lt', value: 60 }]],
  [
    'two of them and a text',
    [
      STATE,
      { field: 'building_count_within_1km', op: 'gte', value: 3 },
      { field: 'land_cover_class', op: 'ne', value: 'Open Water' },
      { field: 'city', op: 'eq', value: ' synthetic HARBOR ' },
    ],
  ],
  [
    'an area',
    [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'geometry', op: 'intersects', value: SQUARE },
    ],
  ],
  ['a county by name and by code', [STATE, { field: 'county', op: 'in', value: ['Synthetic County', '99999'] }]],
  [
    'values that are there or not, and parts of texts',
    [
      STATE,
      { field: 'usedesc', op: 'not_null' },
      { field: 'deeded_acres', op: 'is_null' },
      { field: 'address', op: 'contains', value: 'O' },
    ],
  ],
  ['what quotes would end', [STATE, { field: 'apn', op: 'ne', value: `'; DROP TABLE x; --"` }]],
];

describe('a question about a set as SQL', () => {
  it.each(SETS)('counts what the question counts: %s', async (_, filters) => {
    const counted = await run('count', { filters });
    const { sql, parameters, rows } = await rowsOf('count', { filters });
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect([row!.count, row!.outlines]).toEqual([counted.count, counted.outlines]);
    for (const { index, alone, without } of counted.per_filter) {
      expect([row![`alone_${index}`], row![`without_${index}`]], `${index}`).toEqual([alone, without]);
    }
    // Values of the request are nowhere in the text.
    for (const text of ['DROP', 'HARBOR', 'Synthetic', 'Open Water', '0.08']) expect(sql).not.toContain(text);
    expect(parameters.length).toBeGreaterThan(1);
  });

  it('ranks as the question ranks, by fields and by a score', async () => {
    const orders = [
      {
        order_by: [
          { field: 'land_cover_class', direction: 'asc' },
          { field: 'acreage', direction: 'desc' },
        ],
      },
      {
        score: [
          { field: 'acreage', weight: 2, prefer: 'high' },
          { field: 'nearest_road_distance_m', weight: 1, prefer: { near: 50 } },
        ],
      },
    ];
    for (const order of orders) {
      const body = { filters: [STATE, { field: 'acreage', op: 'lt', value: 20 }], ...order, limit: 40 };
      let { matches } = await run('rank', body);
      let { rows } = await rowsOf('rank', body);
      // Sums of scores may differ in their last digit, and with it the order of equal ones.
      const inOrder = (list: readonly Record<string, unknown>[]) =>
        list.toSorted((one, other) => {
          const apart = Number(other.score) - Number(one.score);
          return Math.abs(apart) > 1e-9 ? apart : String(one.parcel_id) < String(other.parcel_id) ? -1 : 1;
        });
      if (matches[0].score !== undefined) [matches, rows] = [inOrder(matches), inOrder(rows)];
      expect(rows.map(row => row.parcel_id)).toEqual(matches.map((match: { parcel_id: string }) => match.parcel_id));
      for (const [i, { criteria, score }] of matches.entries()) {
        const names = Object.keys(criteria);
        for (const [j, name] of names.entries()) {
          expect(rows[i]![name]).toBe(criteria[name].value);
          expect(rows[i]![`percentile_${j}`]).toBeCloseTo(criteria[name].percentile, 8);
        }
        if (score !== undefined) expect(rows[i]!.score).toBeCloseTo(score, 8);
      }
    }
  });

  it('groups as the question groups', async () => {
    const measures = [
      { op: 'count' },
      { op: 'sum', field: 'acreage' },
      { op: 'mean', field: 'nearest_road_distance_m' },
      { op: 'quantile', field: 'parval', q: 0.9 },
      { op: 'max', field: 'building_count_within_1km' },
    ];
    for (const group_by of [
      [],
      ['county'],
      ['zip', 'land_cover_class'],
      [{ h3: 6 }],
      [{ bins: 'acreage', edges: [1, 5, 20] }],
    ]) {
      const body = { filters: [STATE], group_by, measures };
      const { groups } = await run('aggregate', body);
      const { rows } = await rowsOf('aggregate', body);
      const told = rows.map(row =>
        [row.count, ...measures.map((_, i) => row[`m${i}`])].map(Number).map(value => value.toPrecision(9)),
      );
      const expected = groups.map((group: { count: number; measures: { value: number | null }[] }) =>
        [group.count, ...group.measures.map(({ value }) => value)].map(Number).map(value => value.toPrecision(9)),
      );
      expect(told.map(String).sort(), JSON.stringify(group_by)).toEqual(expected.map(String).sort());
      expect(groups.length).toBeGreaterThan(0);
    }
  });

  it('has the rows of an export, in its order, and of a map and of one parcel', async () => {
    const filters = [STATE, { field: 'acreage', op: 'gt', value: 10 }];
    const body = { search: { filters }, fields: ['acreage', 'nearest_road_distance_m'], format: 'csv' };
    const { files } = await run('export', body, { out: folder });
    const lines = readFileSync(join(folder, files[0].name), 'utf8').trim().split(/\r?\n/);
    const header = lines[0]!.split(',');
    const at = header.indexOf('parcel_id');
    const { rows } = await rowsOf('export', body);
    expect(rows.map(row => row.parcel_id)).toEqual(lines.slice(1).map(line => line.split(',')[at]));
    const { rows: shown } = await rowsOf('tiles', { filters });
    expect(shown).toHaveLength(rows.length);
    const parcel = { filters, parcel_id: rows[0]!.parcel_id };
    const { filters: verdicts } = await run('explain', parcel);
    const { rows: judged } = await rowsOf('explain', parcel);
    expect(judged).toEqual([{ f0: verdicts[0].passes, f1: verdicts[1].passes }]);
  });

  it('finds look-alikes as the question does', async () => {
    const filters = [STATE, { field: 'acreage', op: 'lt', value: 30 }];
    const { matches: some } = await run('rank', {
      filters: [STATE],
      order_by: [{ field: 'acreage', direction: 'desc' }],
      limit: 1,
    });
    const fields = ['acreage', 'nearest_road_distance_m', 'parval', 'saledate'];
    const body = { filters, fields, parcel_id: some[0].parcel_id, limit: 25 };
    const { matches } = await run('similar', body);
    const { rows } = await rowsOf('similar', body);
    expect(matches.length).toBe(25);
    expect(rows.map(row => row.parcel_id)).toEqual(matches.map((match: { parcel_id: string }) => match.parcel_id));
    for (const [i, { distance, fields: told }] of matches.entries()) {
      expect(rows[i]!.distance).toBeCloseTo(distance, 8);
      for (const [j, name] of fields.entries()) {
        const { distance: away } = told[name];
        if (away === null) expect(rows[i]![`away_${j}`], name).toBeNull();
        else expect(rows[i]![`away_${j}`], name).toBeCloseTo(away, 8);
      }
    }
  });

  it('says where there is no SQL for it', async () => {
    const income = { field: 'tract_median_household_income_usd', op: 'gt', value: 1 };
    await expect(run('count', { filters: [STATE, income] }, { explain: true })).rejects.toThrow(
      /tract_median_household_income_usd is looked up in a table by the area/,
    );
  });
});
