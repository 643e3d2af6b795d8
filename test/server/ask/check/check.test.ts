import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence } from '../../../../server/ask/backend.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';

const RECORD: AskRecord = {
  value: null,
  unit: null,
  source: 'test',
  source_url: null,
  confidence: 'high',
  fetched_at: '2026-01-02T03:04:05.678Z',
  dataset_vintage: '2021',
  notes: null,
  status: 'ok',
};

const evidence = (field: string, title: string, record: Partial<AskRecord>): Evidence => ({
  ...{ field, title, description: `${title} at the point.`, hint: 'Ask the county.', area: [] },
  record: { ...RECORD, ...record },
});

const RECORDS = [
  evidence('elevation', 'Elevation', { value: 1234.5, unit: 'm' }),
  evidence('fema_flood_zone', 'FEMA flood zone', { value: 'AE', notes: 'Panel 23019C0105D of 2013-08-05.' }),
  evidence('nearest_hospital_name', 'Nearest hospital name', { value: 'St. Joseph Hospital' }),
  evidence('wetland_fraction_within_500m', 'Wetland fraction within 500 m', { value: 0.1234, unit: 'fraction' }),
  evidence('parcel_area_m2', 'Parcel area', { value: 40468.564224, unit: 'm2' }),
  evidence('mean_annual_temperature_c', 'Mean annual temperature', { value: 7.2, unit: 'degC' }),
  evidence('parcel_last_sale_date', 'Parcel last sale date', { value: '2019-05-12' }),
  evidence('county_population', 'County population', { value: 1_523_456, unit: 'people' }),
  evidence('topographic_position_index_m', 'Topographic position index', { value: -12.4, unit: 'm' }),
  evidence('radon_zone', 'Radon zone', { value: 3 }),
  {
    ...evidence('parcel_apn', 'Parcel APN', { value: '001-001-017' }),
    description: catalog.fields.get('parcel_apn')!.description,
  },
];
const ALL = RECORDS.map(({ field }) => field);
const fault = (text: string, fields: readonly string[] = ALL) => unsupportedIn({ text, fields }, RECORDS)?.kind ?? null;

describe('a sentence is supported', () => {
  it.each([
    'The elevation is 1,234.5 meters.',
    'It lies about 1,200 m up.',
    'It lies 1235 meters above the sea.',
    'That is 4,050 feet, or 1.23 km.',
    'The flood zone is AE.',
    'Panel 23019C0105D took effect on August 5, 2013.',
    'St. Joseph Hospital is nearest.',
    'The nearest hospital is called “St. Joseph Hospital”.',
    'Some 12.3 percent of the land within 500 m is wetland.',
    'About 12% is wetland.',
    'The parcel measures 10 acres (4.05 hectares).',
    'The mean is 45 degrees Fahrenheit.',
    'It was last sold on 2019-05-12.',
    'It was last sold on May 12th, 2019.',
    'The county has about 1.5 million people.',
    'It is 12.4 m below its surroundings.',
    'The radon zone is three.',
    'The parcel number is 001-001-017.',
    'The parcel APN is 001-001-017.',
    'However, ask the county.',
    'Based on these records, the place is in the United States.',
  ])('%s', text => {
    expect(fault(text)).toBeNull();
  });
});

describe('a sentence is not supported', () => {
  it.each([
    ['The elevation is 1,300 meters.', 'number'],
    ['The elevation is 1,234.5 feet.', 'number'],
    ['The elevation is 1,200 miles.', 'number'],
    ['The elevation is 0.2 km.', 'number'],
    ['Some 13 percent is wetland.', 'number'],
    ['The parcel measures 40,468 acres.', 'number'],
    ['The mean is 72 degrees Fahrenheit.', 'number'],
    ['There are 17 schools.', 'number'],
    ['The parcel APN is 001-001-018.', 'number'],
    ['There are seventeen schools.', 'number'],
    ['The flood zone is VE.', 'name'],
    ['The wetland code is PFO1E.', 'code'],
    ['It was sold on 2019-05-13.', 'date'],
    ['It was sold on June 12, 2019.', 'date'],
    ['The nearest hospital is Mercy Hospital.', 'name'],
    ['Mercy Hospital is nearest.', 'name'],
    ['The hospital is called “Mercy”.', 'quotation'],
    ['See https://evil.example/ for more.', 'address'],
    ['Write to someone@example.org.', 'address'],
    ['The county has about 2 million people.', 'number'],
  ])('%s', (text, kind) => {
    expect(fault(text)).toBe(kind);
  });

  it('by a record that it does not cite', () => {
    expect(fault('The flood zone is AE.', ['elevation'])).toBe('name');
    expect(fault('The elevation is 1,234.5 meters.', ['fema_flood_zone'])).toBe('number');
    expect(fault('The elevation is 1,234.5 meters.', [])).toBe('citation');
    expect(fault('All is well.', ['no_such_field'])).toBe('citation');
  });

  it('by what stands in a name: nobody becomes the source of a number or a date by being called so', () => {
    const owned = [
      ...RECORDS,
      evidence('parcel_owner', 'Parcel owner', { value: 'Worth 5,000,000 Dollars Since 2020-02-02 LLC' }),
    ];
    const judged = (text: string) => unsupportedIn({ text, fields: ['parcel_owner'] }, owned)?.kind ?? null;
    expect(judged('It is worth 5,000,000 dollars.')).toBe('number');
    expect(judged('It is worth $5 million.')).toBe('number');
    expect(judged('It was sold on 2020-02-02.')).toBe('date');
    expect(judged('It was sold on February 2, 2020.')).toBe('date');
    expect(judged('The owner is “Worth 5,000,000 Dollars Since 2020-02-02 LLC”.')).toBeNull();
  });

  it('by rounding that a reader would notice', () => {
    expect(fault('The radon zone is about 4.')).toBe('number');
    expect(fault('The mean is 0.1 percent.')).toBe('number');
  });
});
