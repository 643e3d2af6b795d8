import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../datasets/release.ts';
import { sqlCommand } from '../../pipelines/commands/sql.ts';
import type { Terminal } from '../../query/engine/command.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { syntheticHome } from '../synthetic-home.ts';

let home: string;
let manifest: Manifest;
const before = process.env.PLAT_HOME;
beforeAll(async () => {
  ({ home } = await syntheticHome());
  process.env.PLAT_HOME = home;
  manifest = openRelease(home).manifest;
}, 300_000);
afterAll(() => {
  if (before === undefined) delete process.env.PLAT_HOME;
  else process.env.PLAT_HOME = before;
});

async function sql(text: string, json = false): Promise<string[]> {
  const lines: string[] = [];
  const terminal: Terminal = { json, interactive: false, out: line => lines.push(line), err: () => {} };
  expect(await sqlCommand.run([text], {}, terminal)).toBe(0);
  return lines;
}

describe('plat sql', () => {
  it('has one view for each layer with rows in Parquet, with as many rows', async () => {
    const expected = Object.entries(manifest.datasets).flatMap(([dataset, layers]) =>
      Object.entries(layers).flatMap(([layer, { partitions }]) => {
        const files = partitions.flatMap(p => p.files.filter(f => f.role === 'rows' && f.rows > 0));
        return files.length ? [[dataset, layer, files.reduce((sum, f) => sum + f.rows, 0)] as const] : [];
      }),
    );
    expect(expected.length).toBeGreaterThan(5);
    const lines = await sql(
      expected.map(([d, l], i) => `SELECT ${i} AS i, count(*) AS n FROM "${d}"."${l}"`).join(' UNION ALL ') +
        ' ORDER BY i',
    );
    expect(lines).toEqual(['i,n', ...expected.map(([, , rows], i) => `${i},${rows}`)]);
  });

  it('knows the predicates of the parcel search', async () => {
    const [header, line] = await sql(
      `SELECT count(*) AS touching, count(*) FILTER (plat_within(p.geometry, q.geometry)) AS within
       FROM parcel_store.main p, (SELECT * FROM parcel_store.main ORDER BY ord LIMIT 60) q
       WHERE p.partition_key = q.partition_key AND plat_intersects(p.geometry, q.geometry)`,
    );
    expect(header).toBe('touching,within');
    const [touching, within] = line!.split(',').map(Number);
    expect(within).toBeGreaterThanOrEqual(60);
    expect(touching).toBeGreaterThan(within!);
  });

  it('lists the tables, describes one, and names the nearest of one that is not there', async () => {
    const lines: string[] = [];
    const terminal: Terminal = { json: false, interactive: false, out: line => lines.push(line), err: () => {} };
    await sqlCommand.run([], {}, terminal);
    const { partitions } = manifest.datasets.parcel_store!.main!;
    const files = partitions.flatMap(p => p.files.filter(f => f.role === 'rows' && f.rows > 0));
    expect(lines[0]).toBe('name,rows,partitions');
    expect(lines).toContain(`parcel_store.main,${files.reduce((sum, f) => sum + f.rows, 0)},${files.length}`);
    const [header, ...columns] = await sql('parcel_store.main');
    expect(header).toBe('column,type,unit,description');
    expect(columns.map(line => line.split(',', 2).join(','))).toEqual(
      expect.arrayContaining(['apn,VARCHAR', 'acreage,DOUBLE', 'geometry,GEOMETRY', 'partition_key,VARCHAR']),
    );
    const described = JSON.parse((await sql('parcel_store.main', true)).join('')) as { columns: object[] };
    expect(described.columns).toHaveLength(columns.length);
    for (const text of ['parcel_stor.mian', 'parcels', 'SELECT * FROM parcel_stor.main', 'SELECT * FROM parcels'])
      await expect(sql(text), text).rejects.toThrow(/this release has no table .*Nearest: `parcel_store\.main`/);
    await expect(sql('SELECT acrege FROM parcel_store.main')).rejects.toThrow(/"acreage"/);
  });

  it('prints geometries as WKT that DuckDB reads back as what it was', async () => {
    const [header, ...lines] = await sql('SELECT geometry, [geometry] AS list FROM parcel_store.main LIMIT 20');
    expect([header, lines.length]).toEqual(['geometry,list', 20]);
    const texts = (await sql('SELECT geometry FROM parcel_store.main ORDER BY partition_key, ord')).slice(1);
    const again = await sql(
      `WITH stored AS (SELECT geometry, row_number() OVER (ORDER BY partition_key, ord) AS i FROM parcel_store.main),
         texts AS (SELECT unnest([${texts.slice(0, 50).map(text => `'${text.replaceAll('"', '')}'::GEOMETRY`)}]) AS g,
           generate_subscripts([${texts.slice(0, 50).map((_, i) => i)}], 1) AS i)
       SELECT count(*) FILTER (g = geometry) AS same, count(*) AS n FROM stored JOIN texts USING (i)`,
    );
    expect(again[1]).toBe('50,50');
    for (const wkt of [
      'POINT (1 2.5)',
      'MULTIPOINT (1 2, 3 4)',
      'LINESTRING (0 0, 1 1, 2 0)',
      'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 4))',
      'POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 0.5, 2 1, 1 0.5))',
      'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 9 5, 9 9, 5 5), (6 5.5, 7 5.5, 7 6, 6 5.5)))',
      'POINT EMPTY',
    ])
      expect((await sql(`SELECT '${wkt}'::GEOMETRY AS g`))[1]!.replaceAll('"', '')).toBe(wkt);
  });

  it('takes values apart from the text, as many as it names, and has the calculations of parcels', async () => {
    const given = async (text: string, parameters: string) => {
      const lines: string[] = [];
      const terminal: Terminal = { json: true, interactive: false, out: line => lines.push(line), err: () => {} };
      await sqlCommand.run([text], { parameters }, terminal);
      return (JSON.parse(lines.join('')) as { rows: object[] }).rows;
    };
    const values = `[2, "it's", true, [1, 5]]`;
    expect(await given('SELECT $1 AS n, $2 AS t, $3 AS b, len($4) AS l', values)).toEqual([
      { n: 2, t: "it's", b: true, l: 2 },
    ]);
    await expect(given('SELECT $1 AS n', '[]')).rejects.toThrow(/has 1 parameters, and 0 values were given/);
    for (const wrong of ['{', '{}', '[null]', '[[[1]]]'])
      await expect(given('SELECT $1 AS n', wrong), wrong).rejects.toThrow(/expected --parameters with a JSON array/);
    const [row] = (await given(
      'SELECT count(*) AS n, count(slope_degrees) AS known FROM parcel_store.main JOIN calculations.usgs_3dep USING (partition_key, ord)',
      '[]',
    )) as [{ n: number; known: number }];
    expect(row.n).toBe(manifest.datasets.parcel_store!.main!.partitions.reduce((sum, { rows }) => sum + rows, 0));
    expect(row.known).toBeGreaterThan(0);
  });

  it('prints CSV with what must be quoted in quotes, or one JSON document', async () => {
    const text = `SELECT 'a,"b"' AS x, NULL AS y, '' AS z, 1.5 AS n`;
    expect(await sql(text)).toEqual(['x,y,z,n', '"a,""b""",,"",1.5']);
    expect(JSON.parse((await sql(text, true)).join('\n'))).toEqual({
      release: manifest.id,
      columns: ['x', 'y', 'z', 'n'],
      rows: [{ x: 'a,"b"', y: null, z: '', n: 1.5 }],
    });
    expect(await sql('SELECT 1 AS x WHERE false')).toEqual(['x']);
  });

  it('refuses everything but one SELECT over the release, and changes nothing', async () => {
    const parcels = manifest.datasets.parcel_store!.main!.partitions[0]!.files.find(f => f.role === 'rows')!;
    const file = join(home, 'releases', parcels.path);
    const bytes = readFileSync(file);
    const secret = join(home, 'releases/current');
    for (const [text, why] of [
      ['', /expected a SELECT/],
      ['SELEC 1', /syntax error/],
      ['SELECT 1; SELECT 2', /one SELECT, got 2/],
      [`COPY (SELECT 1) TO '${file}'`, /expected a SELECT, got COPY/],
      ['EXPLAIN ANALYZE SELECT 1', /expected a SELECT, got EXPLAIN/],
      ['CREATE TABLE x (i INTEGER)', /expected a SELECT, got CREATE/],
      ['SET enable_external_access = true', /expected a SELECT, got SET|configuration has been locked/],
      [`SELECT * FROM read_text('${secret}')`, /Permission Error/],
      ["ATTACH 'x.db'", /expected a SELECT, got ATTACH|Permission Error/],
      ['SELECT nothing FROM parcel_store.main', /nothing/],
    ] as const)
      await expect(sql(text), text).rejects.toThrow(
        expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(why) }),
      );
    expect(readFileSync(file)).toEqual(bytes);
    expect(readdirSync(home)).not.toContain('x.db');
  });
});
