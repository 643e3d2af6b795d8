import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { type CountyScore, wilson } from '../../../query/parcel/scorecard.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const SCORE: CountyScore = {
  county_fips: '23019',
  taken_at: '2026-11-01T00:00:00.000Z',
  sample: 400,
  disagreeing: 0.02,
  rows: [
    {
      ...{
        field: 'fema_flood_zone',
        against: 'recomputation',
        checked: 390,
        right: 389,
        wrong: 1,
        absent: 4,
        failed: 0,
      },
      ...{ undecidable: 6, interval: wilson(389, 390), p50_error: null, p95_error: null },
    },
  ],
  calibration: [{ confidence: 'high', checked: 390, right: 389, interval: wilson(389, 390) }],
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
  fixture.engine.scores = { '23019': SCORE };
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const scorecard = async (query: string) => (await fixture.app.inject(`/v1/meta/scorecard${query}`)).json();

describe('the scorecard of a release', () => {
  it('says of a field and county what was checked, with the keys that were decided', async () => {
    const { rows, counties } = await scorecard('?field=fema_flood_zone&county_fips=23019');
    const { undecidable: _, ...row } = SCORE.rows[0]!;
    expect(rows).toEqual([{ ...row, county_fips: '23019' }]);
    expect(counties).toMatchObject([{ county_fips: '23019', sample: 400, disagreeing: 0.02, undecidable: 0.01515 }]);
  });

  it('says why nothing is known of a field, a county, and a name that is none', async () => {
    const reasonOf = async (query: string) => (await scorecard(query)).rows[0].reason;
    expect(await reasonOf('?field=elevation&county_fips=23019')).toContain('plat ingest score takes it');
    expect(await reasonOf('?field=elevation&county_fips=50001')).toBe('this release has no parcels there');
    expect(await reasonOf('?field=elevatoin&county_fips=23019')).toContain('elevation');
    expect((await scorecard('')).rows).toHaveLength(catalog.fields.size);
    for (const query of ['?county_fips=x', '?field=A', '?other=1'])
      expect((await fixture.app.inject(`/v1/meta/scorecard${query}`)).statusCode).toBe(422);
  });

  it('is a copy for an hour, which its tag revalidates', async () => {
    const first = await fixture.app.inject('/v1/meta/scorecard?county_fips=23019');
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    const again = await fixture.app.inject({
      url: '/v1/meta/scorecard?county_fips=23019',
      headers: { 'if-none-match': first.headers.etag as string },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});
