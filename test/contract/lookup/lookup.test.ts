import { describe, expect, it } from 'vitest';
import { EngineBusy } from '../../../query/engine/engine-interface.ts';
import { ROOFTOP } from '../../server/fake-tier.ts';
import { ADDRESS, GROUND, lookups, PARCEL_KEYS, POINT, VALUES } from './lookup-fixture.ts';

const lookup = lookups();

describe('a resolved lookup', () => {
  it('of an address holds exactly the keys of the interface, for two credits a call', async () => {
    lookup.fixture.tier.knows(ADDRESS);
    const before = await lookup.used();
    const { status, json } = await lookup.look(ADDRESS);
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      disposition: 'resolved',
      ...POINT,
      resolved_address: '73 HARLOW ST, BANGOR, ME 04401',
      resolved_location: { ...POINT, source: 'address' },
      ...GROUND,
      parcel: PARCEL_KEYS,
      parcel_unavailable: false,
      parcel_unavailable_reason: null,
      match_method: 'rooftop',
      confidence: 0.97,
    });
    expect((await lookup.used()) - before).toBe(2);
    await lookup.look(ADDRESS);
    expect((await lookup.used()) - before).toBe(4);
    expect(lookup.fixture.tier.asked).toHaveLength(1);
    expect(lookup.fixture.engine.calls[0]!.point).toEqual(POINT);
  });

  it('of a coordinate asks no geocoder', async () => {
    const { status, json } = await lookup.look('44.8017,-68.7714');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      disposition: 'resolved',
      ...POINT,
      resolved_address: null,
      resolved_location: { ...POINT, source: 'coordinate' },
      parcel: { parcel_id: 'pcl_1' },
      match_method: 'coordinate',
      confidence: 1,
    });
    expect(lookup.fixture.tier.asked).toEqual([]);
  });

  it('without the parcel does not look for it', async () => {
    lookup.fixture.engine.parcel = { status: 'unavailable', reason: 'not to be asked' };
    const { json } = await lookup.look('44.8017,-68.7714', { include_parcel: false });
    expect(json).not.toHaveProperty('parcel');
    expect(json).toMatchObject({ parcel_unavailable: false, parcel_unavailable_reason: null });
  });

  it.each(['point', 'range_interpolation', 'intersection', 'street_center'] as const)(
    'of accuracy %s has the ground and no parcel',
    async accuracyType => {
      lookup.fixture.tier.knows(ADDRESS, { accuracyType });
      const { json } = await lookup.look(ADDRESS);
      expect(json).toMatchObject({ disposition: 'resolved', ...GROUND, match_method: accuracyType });
      expect(json).not.toHaveProperty('parcel');
      expect(json).toMatchObject({
        parcel_unavailable: false,
        parcel_unavailable_reason: expect.stringMatching(/street/),
      });
    },
  );

  it.each([
    ['unavailable', { status: 'unavailable', reason: 'no parcel data covers the point' }, true],
    ['no match', { status: 'no_match', reason: 'no parcel contains the point' }, false],
    ['ambiguous', { status: 'ambiguous', candidates: [], reason: '2 parcels contain the point' }, false],
  ] as const)('with parcels %s says why it has none', async (_, verdict, unavailable) => {
    lookup.fixture.engine.parcel = verdict;
    const { status, json } = await lookup.look('44.8017,-68.7714');
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('parcel');
    expect(json).toMatchObject({
      disposition: 'resolved',
      parcel_unavailable: unavailable,
      parcel_unavailable_reason: verdict.reason,
    });
  });

  it.each([
    ['a fault', new Error('a secret of the vendor')],
    ['its quota', new EngineBusy('full')],
  ])('keeps its disposition when parcels fail with %s', async (_, fault) => {
    const matchParcel = lookup.fixture.engine.matchParcel;
    lookup.fixture.engine.matchParcel = async () => {
      throw fault;
    };
    const { status, json } = await lookup.look('44.8017,-68.7714');
    lookup.fixture.engine.matchParcel = matchParcel;
    expect(status).toBe(200);
    expect(json).toMatchObject({ disposition: 'resolved', ...GROUND, parcel_unavailable: true });
    expect(json.parcel_unavailable_reason).not.toContain('secret');
  });

  it('has each value null for itself when it fails or is absent', async () => {
    for (const [name, value] of Object.entries(VALUES)) {
      for (const status of ['failed', 'absent'] as const) {
        lookup.fixture.engine.answers.set(name, { status, value: null });
        const { status: code, json } = await lookup.look('44.8017,-68.7714');
        expect(code).toBe(200);
        const flat = { ...json, ...json.county_market, county_market: null, parcel: null };
        const nulls = Object.keys(flat).filter(
          key =>
            flat[key] === null && !['county_market', 'parcel', 'resolved_address'].includes(key) && !/reason/.test(key),
        );
        // The state's code is told from its number.
        expect(nulls, name).toHaveLength(name === 'state_fips' ? 2 : 1);
      }
      lookup.fixture.engine.answers.set(name, { value });
    }
  });

  it('never reports tracts and blocks of an earlier census', async () => {
    const of = ['tract_geoid', 'block_group_geoid', 'block_geoid'] as const;
    for (const name of of) lookup.fixture.engine.answers.set(name, { value: VALUES[name], vintage: '2010' });
    expect((await lookup.look('44.8017,-68.7714')).json).toMatchObject({
      tract_geoid: null,
      block_group_geoid: null,
      block_geoid: null,
      county_fips: '23019',
    });
    for (const name of of) lookup.fixture.engine.answers.set(name, { value: VALUES[name], vintage: '2020' });
    expect((await lookup.look('44.8017,-68.7714')).json.tract_geoid).toBe('23019001100');
  });

  it.each([
    [ADDRESS, '73 HARLOW ST, BANGOR, ME, 04401', 1],
    ['73 harlow street bangor maine', '73 HARLOW ST, BANGOR, ME, 04401', 1],
    ['73 Harlo St, Bangor, ME', '73 HARLOW ST, BANGOR, ME, 04401', 0.871],
    ['73 Harlow, Bangor, ME', '73 HARLOW ST, BANGOR, ME, 04401', 0.97],
    ['75 Harlow St, Bangor, ME', '73 HARLOW ST, BANGOR, ME, 04401', 0.65],
    ['73 Harlow St, Bangor, ME', '9 OAK AVE, BANGOR, ME, 04401', 0],
    [ADDRESS, null, 0],
  ])(
    'by the fallback has the similarity of the texts for its confidence: %s for %s',
    async (asked, found, confidence) => {
      const match = {
        ...ROOFTOP,
        similarity: null,
        accuracyType: 'range_interpolation',
        normalizedAddress: found,
      } as const;
      lookup.fixture.tier.answers.set(asked, { provider: 'census', matches: [match] });
      expect((await lookup.look(asked)).json).toMatchObject({ disposition: 'resolved', confidence });
    },
  );

  it('by the fallback that fits several gives each candidate a number', async () => {
    const match = { ...ROOFTOP, similarity: null, accuracyType: 'range_interpolation' } as const;
    const other = { ...match, normalizedAddress: '73 HARLOW ST, BREWER, ME, 04412', city: 'BREWER', lat: 44.9 };
    lookup.fixture.tier.answers.set('73 Harlow St, ME', { provider: 'census', matches: [match, other] });
    const { json } = await lookup.look('73 Harlow St, ME');
    expect(json.disposition).toBe('clarify');
    for (const candidate of json.candidates) expect(candidate.confidence).toBe(0.9);
  });

  it('gives late values up, and then itself', async () => {
    lookup.fixture.tier.knows(ADDRESS);
    await lookup.look(ADDRESS);
    expect(lookup.fixture.engine.calls[0]!.deadline - lookup.fixture.clock.time).toBe(10_000);
  });
});

it('several places that fit alike are offered, three at most and none picked', async () => {
  const matches = [0.9, 0.9, 0.89, 0.88].map((similarity, i) => ({
    ...ROOFTOP,
    similarity,
    lat: 44 + i,
    normalizedAddress: `12 MAIN ST, TOWN ${i}, ME`,
  }));
  lookup.fixture.tier.answers.set('12 Main St', { matches, city: 'Elsewhere' });
  const { status, json } = await lookup.look('12 Main St');
  expect(status).toBe(200);
  expect(json).toStrictEqual({
    disposition: 'clarify',
    candidates: matches.slice(0, 3).map(m => ({
      resolved_address: m.normalizedAddress,
      lat: m.lat,
      lng: m.lng,
      confidence: m.similarity,
    })),
  });
  expect(lookup.fixture.engine.calls).toEqual([]);
});
