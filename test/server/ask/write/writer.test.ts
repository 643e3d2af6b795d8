import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence } from '../../../../server/ask/backend.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';

const evidence = (name: string, record: Partial<AskRecord>): Evidence => {
  const { title, description, hint, unit } = catalog.fields.get(name)!;
  const more = { source: 'test', source_url: null, confidence: 'high', notes: null, status: 'ok' } as const;
  const fixed = { fetched_at: '2026-01-02T03:04:05.678Z', dataset_vintage: null };
  return {
    field: name,
    title,
    description,
    hint,
    area: [],
    record: { value: null, unit, ...more, ...fixed, ...record },
  };
};

const write = (question: string, ...records: Evidence[]): string[] => {
  const fields = records.map(({ field }) => field);
  const plan = { fields, preset: null, parts: [{ text: question, fields, unknown: [], enrichment: [] }] };
  return writtenFrom({ question, plan, evidence: records, about: 'the place' }).map(({ text }) => text);
};

describe('what is written from records', () => {
  it.each([
    ['elevation', 79.94, 'The elevation is 79.94 meters (262 feet).'],
    ['fema_flood_zone', 'AE', 'The FEMA flood zone is AE.'],
    ['slope_percent', 3.2, 'The slope is 3.2 percent.'],
    ['wetland_fraction_within_500m', 0.1234, 'The wetland fraction within 500 m is 12.34 percent.'],
    ['parcel_assessed_value_usd', 1250000, 'The parcel assessed value is $1,250,000.'],
    ['nearest_wildfire_year', 2016, 'The nearest wildfire year is 2016.'],
    ['coast_distance_m', 6284.9, 'The coast is 6,284.9 meters away (3.91 miles).'],
    ['nearest_waterbody_distance_m', 0, 'The nearest waterbody is right at the place: the distance is 0 meters.'],
    ['within_floodplain_polygon', true, 'The point falls inside a FEMA special flood hazard area.'],
    ['within_floodplain_polygon', false, 'The point does not fall inside a FEMA special flood hazard area.'],
    ['building_at_point', false, 'No mapped building footprint covers the point.'],
    ['broadband_fiber_available', false, 'No provider reports fiber to the premises in the census block.'],
    ['parcel_owner', 'SMITH JOHN', 'The parcel owner is “SMITH JOHN”.'],
    ['parcel_last_sale_date', '2019-05-12', 'The parcel last sale date is 2019-05-12.'],
    ['superfund_site_count_within_5km', 0, 'There are no Superfund sites within 5 km: the count is 0.'],
    ['restaurant_count_within_1km', 1, 'The number of restaurants within 1 km is 1.'],
    ['poi_count_within_1km', 1200, 'There are 1,200 points of interest within 1 km.'],
    ['nfip_claim_count_tract', 6, 'There are 6 NFIP claims in the tract.'],
    ['earthquake_count_m4_within_100km', 3, 'There are 3 magnitude 4+ earthquakes within 100 km.'],
    ['electric_utility_name', 'CITY POWER', 'The electric utility is “CITY POWER”.'],
    ['county_median_household_income_usd', 61842, "The county's median household income is $61,842."],
    ['wind_speed_100m_m_per_s', 10, 'The wind speed at 100 m is 10 meters per second (22.4 miles per hour).'],
    ['days_above_90f', 12, 'The days above 90 F are 12 days a year.'],
    ['annual_precipitation_mm', 1000, 'The annual precipitation is 1,000 millimeters (39.4 inches).'],
  ])('%s', (name, value, sentence) => {
    expect(write('what is it', evidence(name, { value }))[0]).toBe(sentence);
  });

  it('no yes or no of the catalog is denied in words that say it', () => {
    for (const field of catalog.fields.values()) {
      if (field.type !== 'boolean') continue;
      const [yes] = write('is it', evidence(field.name, { value: true }));
      const [no] = write('is it', evidence(field.name, { value: false }));
      expect(yes).not.toMatch(/\b(?:not|no|neither)\b/i);
      expect(no).toMatch(/\b(?:not|no|neither)\b/i);
    }
  });

  it('is converted to what the question asks for, and says so', () => {
    expect(write('how many feet up', evidence('elevation', { value: 79.9 }))[0]).toBe(
      'The elevation is 262 feet (converted from 79.9 meters).',
    );
    expect(write('lot size in acres', evidence('parcel_area_m2', { value: 8093.71 }))[0]).toBe(
      'The parcel area is 2 acres (converted from 8,093.71 square meters).',
    );
    expect(write('how many miles to the beach', evidence('coast_distance_m', { value: 8046.7 }))[0]).toBe(
      'The coast is 5 miles away (converted from 8,046.7 meters).',
    );
  });

  it('explains the code that was found, and no other', () => {
    const meaningOf = (value: string) => write('flood zone', evidence('fema_flood_zone', { value }))[1]!;
    expect(meaningOf('AE')).toMatch(/^A and V zones flood.*loans\.$/);
    expect(meaningOf('X')).toMatch(/; X lies outside them\.$/);
    expect(meaningOf('D')).toMatch(/D means nobody has studied the place, not that it is dry\.$/);
    expect(meaningOf('D')).not.toContain('X lies');
  });

  it('says what a value means, without other numbers than its own', () => {
    const [, meaning] = write('when was it sold', evidence('parcel_last_sale_date', { value: '2019-05-12' }));
    expect(meaning).toBe(
      "An old date means the price beside it says little about today's market; a missing one may be an inheritance or gift.",
    );
    expect(write('how steep', evidence('slope_degrees', { value: 3 })).join(' ')).not.toMatch(/15/);
  });

  it('says of a yes or no what belongs to that answer', () => {
    const said = (value: boolean) => write('is it', evidence('within_nwi_wetland', { value })).slice(1);
    expect(said(true)).toEqual(['That is a reason to commission a delineation.']);
    expect(said(false)).toEqual([
      'That is no clearance, since small and forested wetlands are often missed from the air.',
    ]);
  });

  it('repeats a note of the source, and leaves out that data is made up, which an answer says once', () => {
    const made = 'Synthetic data: made up by Plat, describes no real place.';
    const notes = `Measured over 93 m. Census tract (tract_geoid): ${made} ${made}`;
    expect(write('how hot', evidence('days_above_90f', { value: 3, notes })).at(-1)).toBe(
      'The source notes: “Measured over 93 m”.',
    );
    expect(write('how hot', evidence('days_above_90f', { value: 3, notes: made })).join(' ')).not.toContain('notes');
  });

  it('compares where the question does, and with the limit that it names', () => {
    const school = evidence('nearest_public_school_distance_m', { value: 900 });
    const hospital = evidence('nearest_hospital_distance_m', { value: 5000 });
    expect(write('is the school closer than the hospital', school, hospital)).toContain(
      'The distance to nearest public school is shorter than the distance to nearest hospital.',
    );
    expect(write('is the hospital more than 2 miles away', hospital).join(' ')).toContain(
      'The distance to nearest hospital is more than what the question names',
    );
    expect(write('is the hospital within 20 miles', hospital).join(' ')).toContain(
      'The distance to nearest hospital is less than what the question names',
    );
    expect(write('how far is the hospital', hospital).join(' ')).not.toContain('what the question names');
    const bound = evidence('nearest_hospital_distance_m', { value: 5000, notes: 'so the distance is an upper bound' });
    for (const question of ['is the hospital more than 2 miles away', 'is the school closer than the hospital'])
      expect(write(question, school, bound).join(' ')).not.toMatch(/hospital is more|shorter/);
    const slope = evidence('slope_degrees', { value: 6 });
    expect(write('is it steeper than 5 degrees', slope)).toContain('The slope is more than what the question names.');
    expect(write('is it steeper than 5 percent', slope).join(' ')).not.toContain('what the question names');
  });

  it('says once for each reason what is absent, and what failed', () => {
    const notes = 'outside the coverage of usda_ssurgo';
    const text = write(
      'soil',
      evidence('soil_drainage_class', { status: 'absent', notes }),
      evidence('soil_map_unit_name', { status: 'absent', notes }),
      evidence('elevation', { status: 'failed', error: 'timed out after 5 s', retryable: true }),
    );
    expect(text).toEqual([
      'The soil drainage class and the soil map unit have no value here: outside the coverage of usda_ssurgo.',
      'The elevation could not be read (timed out after 5 s); asking again may help.',
    ]);
  });

  it('does not name the inputs of a calculation where it says why that is absent', () => {
    const notes =
      'No value of parcels (parcel_store), from which it is calculated: no parcel data covers the point. No "Parcel area" ' +
      '(parcel_area_m2), from which it is calculated: no parcel data covers the point.';
    expect(write('acres', evidence('developable_acres_proxy', { status: 'absent', notes }))).toEqual([
      'The developable acres proxy has no value here: no parcel data covers the point.',
    ]);
  });

  it('of every field of the catalog is one sentence that its record supports', () => {
    const values = {
      string: 'XYZ 12',
      number: 12.345,
      integer: 12,
      boolean: true,
      date: '2020-02-03',
      timestamp: '2020-02-03T04:05:06.000Z',
    };
    for (const field of catalog.fields.values()) {
      const record = evidence(field.name, { value: values[field.type] });
      for (const question of ['what is it', 'in feet, acres, inches, mph and fahrenheit', 'in miles and square feet']) {
        const plan = { fields: [field.name], preset: null, parts: [] };
        const written = writtenFrom({ question, plan, evidence: [record], about: 'the place' });
        expect(written.length).toBeGreaterThan(0);
        for (const sentence of written) {
          expect(sentence.text).toMatch(/^[\p{Lu}\d].*\.$/u);
          expect([sentence.text, unsupportedIn(sentence, [record])]).toEqual([sentence.text, null]);
        }
      }
    }
  });

  it('stays supported by its record where a sentence begins with the place', () => {
    const values = { string: ['XYZ 12'], number: [12.345, 0, 1], integer: [12, 0, 1], boolean: [true, false] };
    const ofTime = { date: ['2020-02-03'], timestamp: ['2020-02-03T04:05:06.000Z'] };
    const question = 'what is it';
    for (const field of catalog.fields.values())
      for (const value of { ...values, ...ofTime }[field.type]) {
        const record = { ...evidence(field.name, { value }), at: "At the site's interior point" };
        const plan = { fields: [field.name], preset: null, parts: [] };
        const [first] = writtenFrom({ question, plan, evidence: [record], about: 'the site' });
        expect([first!.text, unsupportedIn(first!, [record])]).toEqual([first!.text, null]);
        expect(first!.text).toMatch(/^At the site's interior point, (?:the|there|no|any|an?) /);
      }
  });
});
