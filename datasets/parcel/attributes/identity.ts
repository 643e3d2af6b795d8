import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Which parcel it is, and where. */
export const IDENTITY = {
  apn: {
    type: 'string',
    description: 'County parcel number as published by the assessor; not globally unique.',
    terms: ['parcel number', 'pin', 'map and lot', 'tax map number', 'assessor parcel number', 'parcel id'],
    hint: 'Quote it to the assessor together with the county: another county may use the same digits, and a split or merger retires it.',
  },
  apn_no_formatting: {
    type: 'string',
    description: 'County parcel number with spaces and punctuation removed.',
    terms: ['parcel number without dashes', 'plain parcel number', 'unformatted apn'],
    hint: 'Join on this form when two files punctuate numbers differently; write deeds and letters with the formatted number.',
  },
  alt_apn1: {
    type: 'string',
    description: 'First alternate parcel number published by the county.',
    terms: ['other parcel number', 'alternate pin', 'old parcel number', 'second parcel id'],
    hint: 'Try it where a title plant, tax bill or old deed shows a number you cannot find under the present one.',
  },
  state_apn: {
    type: 'string',
    description: 'Statewide parcel identifier assigned by the state parcel programme.',
    terms: ['state parcel id', 'statewide parcel number', 'state parcel identifier'],
    hint: 'The number to keep in a portfolio that spans counties: the state program makes it unique where county numbers collide.',
  },
  account_number: {
    type: 'string',
    description: 'Assessor or tax-collector account number.',
    terms: ['tax account', 'assessor account', 'tax collector account', 'property account number'],
    hint: 'Ask the tax collector for bills and payment history by this; two accounts on one lot often mean separately taxed improvements.',
  },
  tax_id: {
    type: 'string',
    description: 'Tax roll identifier when different from the parcel number.',
    terms: ['tax roll number', 'tax identification of the property', 'tax bill number'],
    hint: 'When it differs from the parcel number, payment portals and lien searches usually want this one.',
  },
  tax_district: {
    type: 'string',
    description: 'Tax district, levy or tax code area code.',
    terms: ['taxing district', 'levy code', 'tax code area', 'millage district'],
    hint: 'Look up its levy before you project taxes: lots across a district line can differ by a third in rate.',
  },
  geoid: {
    type: 'string',
    description: 'Five-digit county FIPS code, leading zeros kept.',
    terms: ['county code', 'county fips', 'five-digit county number'],
    hint: "Decides which county's rules, forms and registry apply; keep it as text or Connecticut and Alabama lose their leading zero.",
  },
  state2: {
    type: 'string',
    description: 'Two-letter state code.',
    terms: ['state', 'state abbreviation', 'two-letter state'],
    hint: 'Fixes the governing law of the deed, the licensing of the agent and the recording tax.',
  },
  county: {
    type: 'string',
    description: 'County name.',
    terms: ['what county', 'county name', 'parish', 'borough'],
    hint: 'Name for letters and forms; counties of one name exist in many states, so file by code.',
  },
  centroid_lat: {
    type: 'number',
    unit: 'degrees',
    precision: 1e-7,
    description: 'Latitude of a representative point inside the parcel.',
    computed: true,
    terms: ['latitude', 'latitude of the lot', 'coordinates of the parcel'],
    hint: 'Goes with its longitude as the place all point measures were taken from; plot it before you trust a distance on a large tract.',
  },
  centroid_lon: {
    type: 'number',
    unit: 'degrees',
    precision: 1e-7,
    description: 'Longitude of a representative point inside the parcel.',
    computed: true,
    terms: ['longitude', 'longitude of the lot', 'coordinates of the parcel'],
    hint: 'West is negative; should it fall outside the outline you know, the matched lot is not the one you meant.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
