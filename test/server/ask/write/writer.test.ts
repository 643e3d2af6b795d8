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
    ['elevation', 79.94, 'The elevation is 79.94 meters.'],
    ['fema_flood_zone', 'AE', 'The FEMA flood zone is AE.'],
    ['slope_percent', 3.2, 'The slope is 3.2 percent.'],
    ['wetland_fraction_within_500m', 0.1234, 'The wetland fraction within 500 m is 12.34 percent.'],
    ['parcel_assessed_value_usd', 1250000, 'The parcel assessed value is $1,250,000.'],
    ['nearest_wildfire_year', 2016, 'The nearest wildfire year is 2016.'],
    ['coast_distance_m', 6284.9, 'The coast is 6,284.9 meters away.'],
    ['nearest_waterbody_distance_m', 0, 'The nearest waterbody is right at the place: the distance is 0 meters.'],
    ['within_floodplain_polygon', true, 'The point falls inside a FEMA special flood hazard area.'],
    ['within_floodplain_polygon', false, 'The point does not fall inside a FEMA special flood hazard area.'],
    ['building_at_point', false, 'No mapped building footprint covers the point.'],
    ['broadband_fiber_available', false, 'No provider reports fiber to the premises in the census block.'],
    ['parcel_owner', 'SMITH JOHN', 'The parcel owner is “SMITH JOHN”.'],
    ['parcel_last_sale_date', '2019-05-12', 'The parcel last sale date is 2019-05-12.'],
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
      'The coast is 5 miles (converted from 8,046.7 meters) away.',
    );
  });

  it('says what a value means, without other numbers than its own', () => {
    const [, meaning] = write('when was it sold', evidence('parcel_last_sale_date', { value: '2019-05-12' }));
    expect(meaning).toBe(
      "An old date means the price beside it says little about today's market; a missing one may be an inheritance or gift.",
    );
    expect(write('how steep', evidence('slope_degrees', { value: 3 })).join(' ')).not.toMatch(/15/);
  });

  it('compares where the question does, and with the limit that it names', () => {
    const school = evidence('nearest_public_school_distance_m', { value: 900 });
    const hospital = evidence('nearest_hospital_distance_m', { value: 5000 });
    expect(write('is the school closer than the hospital', school, hospital)).toContain(
      'The distance to nearest public school is shorter than the distance to nearest hospital.',
    );
    expect(write('is the hospital more than 2 miles away', hospital).join(' ')).toContain(
      'That is above what the question asks',
    );
    expect(write('is the hospital within 20 miles', hospital).join(' ')).toContain(
      'That is below what the question asks',
    );
    expect(write('how far is the hospital', hospital).join(' ')).not.toContain('what the question asks');
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
      'The soil drainage class and the soil map unit name have no value here: outside the coverage of usda_ssurgo.',
      'The elevation could not be read (timed out after 5 s); asking again may help.',
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
});
