// The notebook of client/python with Debian's pandas and geopandas, over a real server: what its cells show is what the interface
// says, and what geopandas measures. And plat.py as tools of Python judge it.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plat, type Served, serve } from '../contract/plat.ts';
import { syntheticHome } from '../synthetic-home.ts';

const FOLDER = fileURLToPath(new URL('../../client/python/', import.meta.url));
const CORE = fileURLToPath(new URL('../../docs/python/core.py', import.meta.url));
const run = promisify(execFile);

/** Reads a notebook from its argument, runs all of its cells and writes it back with what they show. */
const RUN = `
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
last = '''import json
print(json.dumps({
    "count": count["count"], "without": [int(one) for one in filters["without"]],
    "best": list(ranked["apn"]), "towns": {row.city: [int(row.count_), row.acres] for row in
        towns.rename(columns={"count": "count_", "sum_acreage": "acres"}).itertuples()},
    "measured": list(measured), "acreage": list(parcels["acreage"]), "crs": str(parcels.crs),
    "fetched": list(values.to_dataframe()["elevation"]), "rows": len(exported),
    "zones": sorted(set(exported["fema_flood_zone"].dropna())), "kinds": [str(kind) for kind in ranked.dtypes],
    "places": [[point.x, point.y] for point in best.to_geodataframe().geometry],
}))'''
notebook.cells.append(nbformat.v4.new_code_cell(last, id="last"))
NotebookClient(notebook, timeout=120, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[1])
`;

interface Shown {
  readonly id: string;
  readonly outputs?: readonly {
    readonly text?: string | readonly string[];
    readonly data?: Readonly<Record<string, unknown>>;
  }[];
}

describe('client/python/walk.ipynb', { tags: ['geopandas', 'Debian-Python'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-notebook-'));
  let served: Served;
  let token = '';
  let cells: readonly Shown[] = [];

  beforeAll(async () => {
    const home = join(folder, 'home');
    cpSync((await syntheticHome()).home, home, { recursive: true });
    token = plat(home, 'token', 'create', '--account', 'notebook@example.org').stdout.trim();
    served = await serve(home);
    cpSync(FOLDER, join(folder, 'python'), { recursive: true });
    const path = join(folder, 'python/walk.ipynb');
    writeFileSync(join(folder, 'run.py'), RUN);
    const env = { ...process.env, PLAT_URL: served.address, PLAT_TOKEN: token, HOME: folder };
    await run('/usr/bin/python3', [join(folder, 'run.py'), path, join(folder, 'python')], { env });
    cells = JSON.parse(readFileSync(path, 'utf8')).cells;
  }, 180_000);
  afterAll(async () => {
    served?.child.kill();
    await served?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(path: string, body: unknown) {
    const answer = await fetch(served.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return JSON.parse(await answer.text());
  }
  const filters = [
    { field: 'state', op: 'eq', value: 'ME' },
    { field: 'acreage', op: 'gt', value: 5 },
    { field: 'within_floodplain_polygon', op: 'eq', value: false },
  ];
  const shown = (id: string) => cells.find(cell => cell.id === id)!.outputs!;
  const last = () => JSON.parse([shown('last')[0]!.text!].flat().join(''));

  it('shows what the interface says', async () => {
    const result = last();
    const count = await post('/v1/search/count', { filters });
    expect(count.count).toBeGreaterThan(20);
    expect(result.count).toBe(count.count);
    expect(result.without).toEqual(count.per_filter.map(({ without }: { without: number }) => without));
    const rank = await post('/v1/rank', {
      filters,
      score: [
        { field: 'acreage', weight: 2, prefer: 'high' },
        { field: 'nearest_road_distance_m', weight: 1, prefer: 'low' },
      ],
    });
    expect(result.best).toEqual(rank.matches.map(({ apn }: { apn: string }) => apn));
    const points = rank.matches.map(
      ({ analysis_point }: { analysis_point: { lng: number; lat: number } }) =>
        [analysis_point.lng, analysis_point.lat] as const,
    );
    expect(result.places).toEqual(points);
    const towns = await post('/v1/aggregate', {
      filters,
      group_by: ['city'],
      measures: [{ op: 'sum', field: 'acreage' }],
    });
    for (const { key, count: parcels, measures } of towns.groups)
      expect(result.towns[key[0]]).toEqual([parcels, measures[0].value]);
    const batch = await post('/v1/fetch/batch', {
      locations: points.slice(0, 10).map(([lng, lat]: readonly [number, number]) => ({ lng, lat })),
      fields: ['elevation'],
    });
    expect(result.fetched).toEqual(
      batch.results.map(({ fields }: { fields: { elevation: { value: number } } }) => fields.elevation.value),
    );
    expect([result.rows, result.crs]).toEqual([count.count, 'EPSG:4326']);
    expect(result.zones).toContain('X');
    expect(result.kinds).toEqual(expect.arrayContaining(['int64', 'float64', 'object']));
  });

  it('measures boundaries by geopandas as their acres say', () => {
    const { measured, acreage } = last() as { measured: number[]; acreage: number[] };
    expect(measured.length).toBe(last().count);
    // The scale of UTM differs by 0.04 % here; the acres of a lot are rounded.
    for (const [i, acres] of acreage.entries())
      expect(Math.abs(measured[i]! / acres - 1), `row ${i}`).toBeLessThan(0.002);
  });

  it('shows tables and a map', () => {
    for (const id of ['filters', 'best', 'towns', 'fetch']) expect(shown(id)[0]!.data).toHaveProperty('text/html');
    const picture = shown('map').find(({ data }) => data?.['image/png'])!.data!['image/png'] as string;
    expect(Buffer.from(picture, 'base64').length).toBeGreaterThan(5_000);
  });
});

describe('plat.py', { tags: ['black'] }, () => {
  it('is laid out as black does, and its types hold', async () => {
    const path = join(FOLDER, 'plat.py');
    await run('/usr/bin/black', ['--check', '--quiet', path, CORE]);
    const mypy = ['--strict', '--ignore-missing-imports', '--cache-dir', '/dev/null', '--python-version', '3.9', path];
    expect((await run('/usr/bin/mypy', mypy)).stdout).toMatch(/^Success/);
  });
});
