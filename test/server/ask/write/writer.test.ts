import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { closedListOf } from '../../../../datasets/closed-list.ts';
import type { Evidence } from '../../../../server/ask/backend.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
import { limitIn } from '../../../../server/ask/reading/limit.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';
import { evidence } from './evidence.ts';

const write = (question: string, ...records: Evidence[]): string[] => {
  const fields = records.map(({ field }) => field);
  const limit = limitIn(question);
  const part = { text: question, fields, unknown: [], enrichment: [], ...(limit ? { limit } : {}) };
  const plan = { fields, preset: null, parts: [part] };
  return writtenFrom(catalog, { question, plan, evidence: records, about: 'the place' }).map(({ text }) => text);
};

describe('what is written from records', () => {
  it.each([
    ['elevation', 79.94, 'The elevation is 262 feet (80 meters).'],
    [
      'fema_flood_zone',
      'AE',
      'The place is in flood zone AE, a special flood hazard area where lenders require flood insurance.',
    ],
    ['fema_flood_zone', 'X', 'The place is in flood zone X, outside the special flood hazard areas.'],
    [
      'fema_flood_zone',
      'D',
      'The FEMA flood zone is D, which leaves open whether the place is in a special flood hazard area.',
    ],
    ['slope_percent', 3.2, 'The slope is 3.2 percent, which is workable.'],
    ['slope_percent', 22.4, 'The ground is steep, with a slope of 22 percent.'],
    ['slope_percent', 15.2, 'The slope is 15 percent, and it is too close to call whether the ground is steep.'],
    ['wetland_fraction_within_500m', 0.1234, 'The share of wetland within 1,600 feet is 12 percent.'],
    ['parcel_assessed_value_usd', 1250000, "The parcel's assessed value is $1,250,000."],
    ['nearest_wildfire_year', 2016, 'The nearest past wildfire was in 2016.'],
    ['coast_distance_m', 6284.9, 'The coast is 3.9 miles (6.3 kilometers) away in a straight line.'],
    [
      'nearest_sfha_distance_m',
      108,
      'The nearest special flood hazard area is 350 feet (108 meters) away in a straight line.',
    ],
    ['nearest_waterbody_distance_m', 0, 'The nearest waterbody is right at the place.'],
    [
      'within_floodplain_polygon',
      true,
      'The place is inside a special flood hazard area, where lenders require flood insurance.',
    ],
    ['within_floodplain_polygon', false, 'The place is outside the mapped special flood hazard areas.'],
    ['building_at_point', false, 'No mapped building covers the point.'],
    ['broadband_fiber_available', false, 'No provider reports fiber to the premises in the census block.'],
    ['wildfire_burn_probability', 0.00082, 'The chance of wildfire is 1 in 1,200 a year.'],
    ['parcel_owner', 'SMITH JOHN', "The parcel's owner is “SMITH JOHN”."],
    ['parcel_zoning', 'RR&A', 'The lot is zoned “RR&A”, and what may be built stands in the rules of that district.'],
    ['parcel_last_sale_date', '2019-05-12', 'The parcel was last sold on May 12, 2019.'],
    ['superfund_site_count_within_5km', 0, 'There are no Superfund sites within 3.1 miles.'],
    ['restaurant_count_within_1km', 1, 'There is 1 restaurant within 0.62 miles.'],
    ['poi_count_within_1km', 1200, 'There are 1,200 points of interest within 0.62 miles.'],
    ['nfip_claim_count_tract', 6, 'There are 6 flood insurance claims in the tract.'],
    ['earthquake_count_m4_within_100km', 3, 'There are 3 magnitude 4+ earthquakes within 62 miles.'],
    ['electric_utility_name', 'CITY POWER', 'The electric utility is “CITY POWER”.'],
    ['county_median_household_income_usd', 61842, "The county's median household income is $61,842."],
    [
      'wind_speed_100m_m_per_s',
      10,
      'The wind is strong enough for a utility project: 22 miles per hour (10 meters per second) at 100 m.',
    ],
    ['days_above_90f', 12, 'There are 12 days a year above 90 F.'],
    ['annual_precipitation_mm', 1000, 'The annual precipitation is 39 inches (1,000 millimeters).'],
    ['county_hpi_yoy_pct', -3.2, "The county's house price index fell by 3.2 percent in a year."],
  ])('%s %s', (name, value, sentence) => {
    expect(write('what is it', evidence(name, { value }))[0]).toBe(sentence);
  });

  it('no yes or no of the catalog is denied in words that say it', () => {
    for (const field of catalog.fields.values()) {
      if (field.type !== 'boolean') continue;
      const [yes] = write('is it', evidence(field.name, { value: true }));
      const [no] = write('is it', evidence(field.name, { value: false }));
      const remedy = `${field.name}: words of a yes deny nothing, those of a no have "not", "no", "neither" or "outside"`;
      expect(yes, remedy).not.toMatch(/\b(?:not|no|neither)\b/i);
      expect(no, remedy).toMatch(/\b(?:not|no|neither|outside)\b/i);
    }
  });

  it('is converted to what the question asks for', () => {
    expect(write('how many meters up', evidence('elevation', { value: 79.9 }))[0]).toBe('The elevation is 80 meters.');
    expect(write('lot size in acres', evidence('parcel_area_m2', { value: 8093.71 }))[0]).toBe(
      "The parcel's area is 2 acres (8,094 square meters).",
    );
    expect(write('how many miles to the beach', evidence('coast_distance_m', { value: 8046.7 }))[0]).toBe(
      'The coast is 5 miles (8 kilometers) away in a straight line.',
    );
  });

  it('says what is near a mapped line, an upper bound, a stand-in and the past', () => {
    const edge = '0.1 m from ground where it is X (FLD_ZONE), while the source is accurate to 12 m.';
    expect(write('flood?', evidence('fema_flood_zone', { value: 'AE', notes: edge }))).toEqual([
      'The FEMA flood zone is AE, but that is too close to call: ground mapped as X is 0.33 feet (0.1 meters) away, while the source is accurate to 39 feet (12 meters).',
      'An elevation certificate from a surveyor would be needed to settle it.',
    ]);
    const none = '0.1 m from ground that none of the flood hazard areas covers, while the source is accurate to 12 m.';
    expect(write('flood?', evidence('within_floodplain_polygon', { value: true, notes: none }))[0]).toMatch(
      /^It is too close to call whether the place is in a special flood hazard area: ground mapped otherwise is 0\.33 feet/,
    );
    const bound = 'The coverage of hospitals ends nearer than what was found, so the distance is an upper bound.';
    expect(write('how far is it', evidence('nearest_hospital_distance_m', { value: 5495.4, notes: bound }))[0]).toBe(
      'The nearest hospital is at most 3.5 miles (5.5 kilometers) away.',
    );
    const index = {
      value: 1.46,
      dataset_vintage: '2017',
      notes: 'The edition ends in 2017: the latest change is of that year.',
    };
    expect(write('do prices rise', evidence('county_hpi_yoy_pct', index))[0]).toBe(
      "The county's house price index rose by 1.5 percent in 2017.",
    );
    const income = evidence('county_median_household_income_usd', { value: 61842, dataset_vintage: '2012-2016' });
    expect(write('income', income)[0]).toBe("The county's median household income was $61,842 in 2016.");
  });

  it('answers a judgement with the verdict and a question of value with the value', () => {
    const records = [
      evidence('nearest_flowline_distance_m', { value: 61 }),
      evidence('within_floodplain_polygon', { value: false }),
    ];
    expect(write('does it flood here', ...records)[0]).toMatch(/^The place is outside/);
    expect(write('how far is the stream', ...records)[0]).toMatch(/^The nearest stream is 200 feet \(61 meters\) away/);
  });

  it('gives at most three reasons, in one sentence, and names what decides and is not known', () => {
    const records = [
      evidence('within_floodplain_polygon', { value: false }),
      evidence('nearest_sfha_distance_m', { value: 108 }),
      evidence('sfha_fraction_within_500m', { value: 0.1052 }),
      evidence('nfip_claim_count_tract', { value: 6 }),
      evidence('elevation', { value: 19.1 }),
      evidence('soil_flooding_frequency', { status: 'absent', notes: 'outside the coverage' }),
    ];
    expect(write('does it flood here, and why', ...records)).toEqual([
      'The place is outside the mapped special flood hazard areas.',
      'The nearest special flood hazard area is 350 feet (108 meters) away in a straight line; special flood hazard areas cover 11 percent of the ground within 1,600 feet; there are 6 flood insurance claims in the tract.',
      "Not known here: the soil's flooding frequency.",
    ]);
  });

  it('answers Spanish in Spanish', () => {
    const records = [
      evidence('within_floodplain_polygon', { value: false }),
      evidence('nearest_hospital_distance_m', { value: 2543.2 }),
    ];
    expect(write('¿Se inunda aquí, y hay un hospital cerca?', ...records)).toEqual([
      'El lugar no está en ninguna zona especial de inundación del mapa.',
      'La distancia al hospital más cercano es 1.6 millas (2.5 km).',
    ]);
  });

  it('compares where the question does, and with the limit that it names', () => {
    const school = evidence('nearest_public_school_distance_m', { value: 900 });
    const hospital = evidence('nearest_hospital_distance_m', { value: 5000 });
    expect(write('is the school closer than the hospital', school, hospital)).toContain(
      'The nearest public school is closer than the nearest hospital.',
    );
    expect(write('is the hospital more than 2 miles away', hospital)[0]).toMatch(/, which is more than 2 miles\.$/);
    expect(write('is the hospital within 20 miles', hospital)[0]).toMatch(/, which is less than 20 miles\.$/);
    expect(write('how far is the hospital', hospital)[0]).not.toContain('which is');
    const bound = evidence('nearest_hospital_distance_m', { value: 5000, notes: 'so the distance is an upper bound' });
    expect(write('is the hospital more than 2 miles away', bound)[0]).toBe(
      'The nearest hospital is at most 3.2 miles (5 kilometers) away: the nearest one on the map is more than 2 miles away, but one beyond its edge may be nearer.',
    );
    expect(write('is the school closer than the hospital', school, bound)[0]).toBe(
      'As far as the map goes, the nearest public school is closer than the nearest hospital.',
    );
    const airport = evidence('nearest_airport_distance_m', { value: 7000 });
    expect(write('which is closest, school, hospital or airport', airport, hospital)[0]).toBe(
      'The nearest hospital is closer than the nearest airport.',
    );
    expect(write('is the hospital more than 3.1 miles away', hospital)[0]).toMatch(
      /, which is just over 3\.1 miles\.$/,
    );
    const fire = evidence('wildfire_burn_probability', { value: 0.003644 });
    expect(write('is the burn probability above 1 in 500', fire)[0]).toBe(
      'The wildfire burn probability is 1 in 270 a year, which is more than 1 in 500.',
    );
    const slope = evidence('slope_degrees', { value: 6 });
    expect(write('is it steeper than 5 degrees', slope)[0]).toBe(
      'The slope is 6 degrees, which is more than 5 degrees.',
    );
    expect(write('is it steeper than 5 percent', slope).join(' ')).not.toContain('more than');
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
      "The soil's drainage class and the soil map unit are not given here: outside the coverage of usda ssurgo.",
      'The elevation could not be read (timed out after 5 s); asking again may help.',
    ]);
    const none = { status: 'absent', notes: 'no panel covers the point' } as const;
    expect(write('flood', evidence('fema_flood_zone', none))).toEqual([
      'It is not known here whether the place is in a special flood hazard area: no panel covers the point; an elevation certificate from a surveyor would be needed to settle it.',
    ]);
  });

  it('does not name the inputs of a calculation where it says why that is absent', () => {
    const notes =
      'No value of parcels (parcel_store), from which it is calculated: no parcel data covers the point. No "Parcel area" ' +
      '(parcel_area_m2), from which it is calculated: no parcel data covers the point.';
    expect(write('acres', evidence('developable_acres_proxy', { status: 'absent', notes }))).toEqual([
      'No developable acres proxy is given here: no parcel data covers the point.',
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
      for (const question of ['what is it', 'in feet, acres, inches, mph and fahrenheit', '¿cuál es el dato?']) {
        const plan = { fields: [field.name], preset: null, parts: [] };
        const written = writtenFrom(catalog, { question, plan, evidence: [record], about: 'the place' });
        expect(written.length).toBeGreaterThan(0);
        for (const sentence of written) {
          expect(sentence.text).toMatch(/^[\p{Lu}\d].*\.$/u);
          expect([field.name, sentence.text, unsupportedIn(sentence, [record])]).toEqual([
            field.name,
            sentence.text,
            null,
          ]);
        }
      }
    }
  });

  it('passes the check with every verdict, in both languages', () => {
    const failed: string[][] = [];
    const edge = '0.4 m from ground where it is other (X), while the source is accurate to 12 m.';
    for (const { name, type, verdict } of catalog.fields.values()) {
      if (!verdict) continue;
      const { yes, margin = 0 } = verdict;
      const limit = typeof yes !== 'object' ? null : 'from' in yes ? yes.from : 'under' in yes ? yes.under : null;
      const field = catalog.fields.get(name)!;
      const values =
        limit !== null
          ? [limit * 0.4, limit - margin / 2, limit + margin * 2, limit * 7].map(value =>
              type === 'integer' ? Math.round(value) : value,
            )
          : type === 'boolean'
            ? [true, false]
            : (closedListOf(catalog, field) ?? (Array.isArray(yes) ? yes : ['Not prime farmland', 'R1']));
      for (const value of values)
        for (const question of ['is it', '¿es así?'])
          for (const notes of limit === null ? [null, edge] : [null]) {
            const record = evidence(name, { value, notes });
            const plan = { fields: [name], preset: null, parts: [] };
            for (const sentence of writtenFrom(catalog, { question, plan, evidence: [record], about: 'the place' })) {
              const wrong = unsupportedIn(sentence, [record], catalog);
              if (wrong) failed.push([name, sentence.text, wrong.what]);
            }
          }
    }
    expect(failed, 'say in the verdict what is so: a "without" or "sin" reads as a denial').toEqual([]);
  });

  it('fails the check with every verdict of a yes or no that its record denies, in both languages', () => {
    const passed: string[] = [];
    for (const { name, type, verdict } of catalog.fields.values())
      if (verdict && type === 'boolean')
        for (const question of ['is it', '¿es así?'])
          for (const value of [true, false]) {
            const plan = { fields: [name], preset: null, parts: [] };
            const task = { question, plan, evidence: [evidence(name, { value })], about: 'the place' };
            const [first] = writtenFrom(catalog, task);
            const denied = unsupportedIn(first!, [evidence(name, { value: !value })], catalog);
            if (denied === null) passed.push(`${name}: ${first!.text}`);
          }
    expect(passed).toEqual([]);
  });

  it('stays supported by its record where a sentence begins with the place', () => {
    const values = { string: ['XYZ 12'], number: [12.345, 0, 1], integer: [12, 0, 1], boolean: [true, false] };
    const ofTime = { date: ['2020-02-03'], timestamp: ['2020-02-03T04:05:06.000Z'] };
    const question = 'what is it';
    for (const field of catalog.fields.values())
      for (const value of { ...values, ...ofTime }[field.type]) {
        const record = { ...evidence(field.name, { value }), at: "At the site's interior point" };
        const plan = { fields: [field.name], preset: null, parts: [] };
        const [first] = writtenFrom(catalog, { question, plan, evidence: [record], about: 'the site' });
        expect([first!.text, unsupportedIn(first!, [record])]).toEqual([first!.text, null]);
        expect(first!.text).toMatch(/^At the site's interior point, (?:the|there|trees|by|in|no|any|an?|\d+) /);
      }
  });
});

it('a distance that decides is told with the name of its thing', () => {
  const name = evidence('nearest_quaternary_fault_name', { value: 'Norumbega fault' });
  expect(
    write('Is there a fault near?', evidence('nearest_quaternary_fault_distance_m', { value: 400 }), name),
  ).toEqual([
    'The nearest Quaternary fault, “Norumbega fault”, is 1,300 feet (400 meters) away in a straight line, near enough for a geologist.',
  ]);
});

it('an upper bound is rounded up in both units', () => {
  const [text] = write('How far is the coast?', evidence('coast_distance_m', { value: 6312, notes: 'upper bound' }));
  expect(text).toBe('The coast is at most 4 miles (6.4 kilometers) away.');
});

it('what stands for an unknown value answers alone only where it decides the same', () => {
  const stand = (first: string, second: Evidence) => {
    const records = [evidence(first, { value: null, status: 'absent', notes: 'no data here' }), second];
    const fields = records.map(({ field }) => field);
    const part = { text: 'Is it?', fields, standIn: second.field, unknown: [], enrichment: [] };
    const task = { question: 'Is it?', plan: { fields, preset: null, parts: [part] }, evidence: records, about: 'it' };
    return writtenFrom(catalog, task).map(({ text }) => text);
  };
  expect(stand('fema_flood_zone', evidence('within_floodplain_polygon', { value: false }))).toEqual([
    'The place is outside the mapped special flood hazard areas.',
  ]);
  expect(stand('storm_surge_cat3_depth_m', evidence('coast_distance_m', { value: 1000 }))).toEqual([
    "It is not known here whether a category 3 surge reaches the place: no data here; the county's evacuation map would be needed to settle it.",
    'The coast is 0.62 miles (1 kilometer) away in a straight line.',
  ]);
});
