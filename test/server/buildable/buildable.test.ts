import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import { SITING_TEMPLATES } from '../../../datasets/siting-templates.ts';
import type { Buildable, ExclusionShare } from '../../../query/buildable/request.ts';
import { NOT_COVERED } from '../../../query/evaluate/parcel-at-point.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { BuildableBody } from '../../../server/buildable/body.ts';
import { SetReader } from '../../../server/sets/set-reader.ts';
import { rectangle } from '../../query/release-fixture.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.engine.reset());
afterAll(() => fixture[Symbol.asyncDispose]());

const ID = `pcl_${'a'.repeat(22)}`;
const share = (more: Partial<ExclusionShare>): ExclusionShare => ({
  ...{ name: 'usfws_nwi', status: 'ok', alone: ACRE_M2, last: 0, geometry: null, reason: null, retryable: false },
  ...{ source: 'usfws_nwi', sourceUrl: 'https://example.org', vintage: '2025' },
  ...more,
});
const BUILT: Buildable = {
  ...{ gross: 10 * ACRE_M2, area: 9 * ACRE_M2, largestPiece: 9 * ACRE_M2, undecidable: 0.01, geometry: null },
  exclusions: [share({})],
};

async function post(body: object) {
  const response = await fixture.app.inject({
    method: 'POST',
    url: '/v1/buildable',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

describe('POST /v1/buildable', () => {
  it('says that there is no parcel where nobody publishes any, and to try again where parcels cannot be read', async () => {
    const here = { lat: 44.8, lng: -68.77, template: 'solar' };
    fixture.engine.parcel = { status: 'unavailable', reason: NOT_COVERED };
    expect(await post(here)).toMatchObject({ status: 404, body: { detail: { error: 'parcel_not_found' } } });
    fixture.engine.parcel = { status: 'unavailable', reason: 'parcels cannot be read: damaged' };
    expect(await post(here)).toMatchObject({ status: 503, body: { detail: { retryable: true } } });
  });

  it('answers in acres, with what each exclusion takes, for 10 credits', async () => {
    fixture.engine.built = BUILT;
    const { status, headers, body } = await post({
      parcel_id: ID,
      exclusions: [{ layer: 'test_dem', setback_ft: 100 }],
    });
    expect(status).toBe(200);
    expect(headers['x-service-credits']).toBe('10');
    expect(body).toEqual({
      ...{ gross_acres: 10, buildable_acres: 9, largest_piece_acres: 9, undecidable_fraction: 0.01, geometry: null },
      exclusions: [
        {
          ...{ layer: 'usfws_nwi', alone_acres: 1, last_acres: 0, status: 'ok', source: 'usfws_nwi' },
          ...{ source_url: 'https://example.org', dataset_vintage: '2025' },
        },
      ],
      ...{ partial_failures: [], status: 'complete', completion_reason: 'exhausted', request_id: expect.any(String) },
    });
    const { exclusions, ground } = fixture.engine.buildings.at(-1)!;
    expect(ground).toEqual({ parcelId: ID });
    expect(exclusions).toEqual([
      { name: 'test_dem', dataset: 'test_dem', layer: 'main', where: null, setback: expect.closeTo(30.48) },
    ]);
  });

  it('is KML where the caller prefers it, with the ground of each exclusion', async () => {
    const hole = rectangle([-70, 44, -69.99, 44.01], [-69.996, 44.004, -69.995, 44.005]);
    const wet = share({ name: 'a & b', geometry: rectangle([-70, 44, -69.995, 44.01]) });
    fixture.engine.built = { ...BUILT, geometry: hole, exclusions: [wet] };
    const accept = 'application/json;q=0.5, application/vnd.google-earth.kml+xml';
    const reply = await fixture.app.inject({
      method: 'POST',
      url: '/v1/buildable',
      headers: { authorization: `Bearer ${fixture.token}`, accept },
      payload: { parcel_id: ID, exclusions: [{ layer: 'test_dem' }] },
    });
    expect([reply.statusCode, reply.headers['content-type'], reply.headers['x-service-credits']]).toEqual([
      200,
      'application/vnd.google-earth.kml+xml',
      '10',
    ]);
    expect(reply.headers.vary).toMatch(/Accept/);
    expect(fixture.engine.buildings.at(-1)!.shapes).toBe(true);
    const shell = '-70,44 -69.99,44 -69.99,44.01 -70,44.01 -70,44';
    expect(reply.body).toContain(
      `<outerBoundaryIs><LinearRing><coordinates>${shell}</coordinates></LinearRing></outerBoundaryIs>`,
    );
    expect(reply.body.match(/<innerBoundaryIs>/g)).toHaveLength(1);
    expect(reply.body).toContain('<name>a &amp; b</name>');
    expect(reply.body).toContain('9 of 10 acres');
  });

  it('says why nothing is known, and no acres then', async () => {
    const lost = share({ status: 'failed', alone: null, last: null, reason: 'not installed', retryable: false });
    fixture.engine.built = { ...BUILT, area: null, largestPiece: null, undecidable: null, exclusions: [lost] };
    const { body } = await post({ parcel_id: ID, template: 'wind' });
    expect(body).toMatchObject({
      ...{ gross_acres: 10, buildable_acres: null, largest_piece_acres: null, undecidable_fraction: null },
      partial_failures: [{ layer: 'usfws_nwi', error: 'not installed', retryable: false }],
      ...{ status: 'partial', completion_reason: 'source_unavailable' },
    });
  });

  it('refuses a parcel and a site that nobody has, and wrong bodies, at no charge', async () => {
    fixture.engine.built = { missing: true };
    const used = async () =>
      (
        await fixture.app.inject({
          url: '/v1/users/me/usage',
          headers: { authorization: `Bearer ${fixture.token}` },
        })
      ).json().credits_used as number;
    const before = await used();
    expect(await post({ parcel_id: ID })).toMatchObject({
      status: 404,
      body: { detail: { error: 'parcel_not_found' } },
    });
    expect(await post({ site_id: 'site_x' })).toMatchObject({
      status: 404,
      body: { detail: { error: 'site_not_found' } },
    });
    expect(await post({ parcel_id: ID, template: 'sun' })).toMatchObject({ status: 422 });
    expect(await used()).toBe(before);
  });
});

/** What a body says to do, or what is wrong with it. */
function read(body: object) {
  const engine = {
    parcelColumns: () => new Set<string>(),
    availability: () => ({ lackOf: () => null }),
    overlayProgress: () => null,
  };
  const reader = new SetReader(catalog, engine, 100);
  const question = new BuildableBody(reader, catalog, 100).read({ parcel_id: ID, ...body });
  return question ?? reader.issues.all.map(({ path, hint }) => `${path}: ${hint}`).join('\n');
}

describe('a body', () => {
  it.each<[string, object, RegExp]>([
    [
      'two places',
      { lat: 44, lng: -69 },
      /^body: Send `parcel_id`, `site_id`, `geometry`, `lat` and `lng`, or `address`, one/,
    ],
    ['a template that is none', { template: 'Solar' }, /^template: Send solar, wind, storage, data_center, housing/],
    ['a layer that is none', { exclusions: [{ layer: 'usfws_nwl' }] }, /^exclusions\[0\]\.layer: Nearest: `usfws_nwi`/],
    ['the parcels themselves', { exclusions: [{ layer: 'parcel_store' }] }, /^exclusions\[0\]\.layer/],
    ['a table', { exclusions: [{ layer: 'census_acs:tract' }] }, /^exclusions\[0\]\.layer/],
    [
      'two setbacks',
      { exclusions: [{ layer: 'usfws_nwi', setback_m: 1, setback_ft: 1 }] },
      /^exclusions\[0\]: Send `setback_m` or/,
    ],
    [
      'a setback below 0',
      { exclusions: [{ layer: 'usfws_nwi', setback_m: -1 }] },
      /^exclusions\[0\]\.setback_m: Send 0 to 5000/,
    ],
    [
      'a condition that is none',
      { exclusions: [{ layer: 'usfws_nwi', where: 'x ==' }] },
      /^exclusions\[0\]\.where: Send a condition/,
    ],
    ['a column that is none', { exclusions: [{ layer: 'usfws_nwi', where: 'x = 1' }] }, /^exclusions\[0\]\.where/],
    [
      'many wildcards',
      { exclusions: [{ layer: 'usfws_nwi', where: `ATTRIBUTE like '${'%a'.repeat(5)}'` }] },
      /4 wildcards/,
    ],
    ['an unknown key', { setback_m: 5 }, /^body: Nearest: `boundary_setback_m`/],
  ])('with %s says where and what to send', (_, body, issue) => {
    expect(read(body)).toMatch(issue);
  });

  it('overrides a template layer by layer and number by number', () => {
    const mine = { layer: 'census_tiger:roads', setback_m: 50 };
    const question = read({ template: 'solar', exclusions: [mine], max_slope_percent: 20, min_piece_acres: 1 });
    if (typeof question === 'string') throw new Error(question);
    const solar = SITING_TEMPLATES.get('solar')!;
    expect(question).toMatchObject({
      minPiece: ACRE_M2,
      minWidth: solar.minWidthM,
      boundarySetback: solar.boundarySetbackM,
    });
    expect(question.exclusions.filter(({ name }) => name === mine.layer)).toMatchObject([{ setback: 50 }]);
    expect(question.exclusions.at(-1)).toMatchObject({
      name: 'usgs_3dep:slope_percent',
      where: { op: '>', value: 20 },
    });
    expect(question.exclusions.length).toBe(solar.exclusions.length + 1);
  });
});

it.each([...SITING_TEMPLATES.values()])(
  'template $name names layers and columns of the catalog',
  ({ name, exclusions }) => {
    expect(typeof read({ template: name })).toBe('object');
    for (const { layer, where, setbackM } of exclusions) {
      expect(typeof read({ exclusions: [{ layer, setback_m: setbackM, ...(where ? { where } : {}) }] })).toBe('object');
      if (where) expect(() => parseCondition(where)).not.toThrow();
    }
  },
);
