import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { ReleaseTables } from '../../../pipelines/release/release-tables.ts';
import { readQuantiles } from '../../../query/parcel/quantiles.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const FIPS = '23999';

let fixture: Fixture;
let tables: ReleaseTables;

beforeAll(async () => {
  const releases = `${(await syntheticHome()).home}/releases`;
  const manifest = readManifest(releases, currentId(releases)!);
  tables = await ReleaseTables.open(releases, manifest);
  fixture = await openFixture({ catalog });
  const areas = Object.entries(manifest.quantiles!).map(
    async ([area, { file }]) => [area, await readQuantiles(`${releases}/${file.path}`)] as const,
  );
  fixture.engine.areas = Object.fromEntries(await Promise.all(areas));
}, 180_000);
afterAll(async () => {
  tables?.close();
  await fixture?.[Symbol.asyncDispose]();
});

const quantiles = async (query: string) => (await fixture.app.inject(`/v1/meta/quantiles${query}`)).json();

describe('the quantiles of a release', () => {
  it('are those of the parcels of a county, as SQL finds them', async () => {
    const { rows, probabilities } = await quantiles(`?fields=acreage&county_fips=${FIPS}`);
    const acres: number[] = [];
    await tables.select(
      `SELECT acreage FROM parcel_store.main WHERE partition_key LIKE '%/${FIPS}' AND acreage IS NOT NULL ORDER BY 1`,
      ([value]) => acres.push(Number(value)),
    );
    const [county, state, release] = rows;
    expect([county.of, state.of, release.of]).toEqual(['county', 'state', 'release']);
    expect(county.count).toBe(acres.length);
    expect(county.values).toEqual(
      probabilities.map((share: number) => acres[Math.max(0, Math.ceil(share * acres.length - 1e-9) - 1)]),
    );
    // The state has this county alone.
    expect(state.values).toEqual(county.values);
  });

  it('are right to a hundredth of the parcels where counties come together', async () => {
    const { rows, probabilities } = await quantiles('?fields=acreage');
    const acres: number[] = [];
    await tables.select('SELECT acreage FROM parcel_store.main WHERE acreage IS NOT NULL', ([value]) =>
      acres.push(Number(value)),
    );
    const [{ count, values }] = rows;
    expect(count).toBe(acres.length);
    const shareUpTo = (limit: number) => acres.filter(value => value <= limit).length / acres.length;
    for (const [i, share] of probabilities.entries()) {
      expect(shareUpTo(values[i])).toBeGreaterThan(share - 0.015);
      expect(acres.filter(value => value < values[i]).length / acres.length).toBeLessThan(share + 0.015);
    }
  });

  it('have a tag, and a reason where there is none', async () => {
    const first = await fixture.app.inject('/v1/meta/quantiles?fields=acreage');
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    const again = await fixture.app.inject({
      url: '/v1/meta/quantiles?fields=acreage',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const { rows } = await quantiles('?fields=fema_flood_zone,acreag,slope_degrees&county_fips=01001');
    expect(rows.map(({ field, values, reason }: Record<string, unknown>) => [field, values === null, reason])).toEqual([
      ['fema_flood_zone', true, 'the field is no number'],
      ['fema_flood_zone', true, 'the field is no number'],
      ['fema_flood_zone', true, 'the field is no number'],
      ['acreag', true, expect.stringMatching(/no such field \(nearest: `acreage`/)],
      ['acreag', true, expect.any(String)],
      ['acreag', true, expect.any(String)],
      ['slope_degrees', true, expect.stringMatching(/no quantiles of the parcels of the county/)],
      ['slope_degrees', true, expect.stringMatching(/of the state/)],
      ['slope_degrees', false, undefined],
    ]);
  });

  it('are absent with the reason in a release of an earlier build', async () => {
    const { areas } = fixture.engine;
    fixture.engine.areas = {};
    const { rows } = await quantiles('?fields=acreage');
    fixture.engine.areas = areas;
    expect(rows).toEqual([
      {
        ...{ field: 'acreage', unit: 'acres', of: 'release', place: null, parcels: 0, count: 0, values: null },
        reason: expect.stringMatching(/this release has no quantiles of the parcels.*plat ingest overlay takes them$/),
      },
    ]);
  });

  it.each([
    '?fields=',
    '?fields=Acreage',
    '?fields=a,,b',
    '?county_fips=2399',
    '?county=23999',
    `?fields=${'a,'.repeat(50)}a`,
  ])('refuses %s', async query => {
    expect((await fixture.app.inject(`/v1/meta/quantiles${query}`)).statusCode).toBe(422);
  });
});
