import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Where the parcel is, by address. */
export const SITUS = {
  address: {
    type: 'string',
    description: 'Situs address line of the parcel.',
    terms: ['street address', 'property address', 'location of the property', 'dirección'],
    hint: 'Where the land is, not where mail goes; vacant land often has none, so its absence tells nothing about access.',
  },
  address2: {
    type: 'string',
    description: 'Second situs address line such as suite or building.',
    terms: ['suite', 'building', 'second address line'],
    hint: 'A suite here means that the record covers part of a building: check whether you hold the unit or the whole lot.',
  },
  saddno: {
    type: 'string',
    description: 'Situs house number.',
    terms: ['house number', 'street number', 'building number'],
    hint: 'Zero or missing mostly marks vacant or landlocked land; a range means a corner or several doors.',
  },
  saddpref: {
    type: 'string',
    description: 'Situs street pre-directional.',
    terms: ['street direction before the name', 'north or south prefix', 'predirectional'],
    hint: 'Losing it sends couriers across town: N and S of one street can be miles apart.',
  },
  saddstr: {
    type: 'string',
    description: 'Situs street name.',
    terms: ['street name of the property', 'name of the street', 'which street'],
    hint: 'Search permits and code violations by this bare name when the full line finds nothing.',
  },
  saddsttyp: {
    type: 'string',
    description: 'Situs street type.',
    terms: ['street or avenue', 'street suffix', 'kind of street'],
    hint: 'Two streets of one name but different type are common in one city: never drop it when you match addresses.',
  },
  saddstsuf: {
    type: 'string',
    description: 'Situs street post-directional.',
    terms: ['street direction after the name', 'postdirectional', 'quadrant'],
    hint: 'In quadrant cities such as Washington the address means nothing without it.',
  },
  sunit: {
    type: 'string',
    description: 'Situs unit number.',
    terms: ['apartment number', 'unit', 'condo unit'],
    hint: 'A condominium or leased unit: land measures of the shared lot are not those of the unit.',
  },
  city: {
    type: 'string',
    description: 'Situs city, never the mailing city.',
    terms: ['town of the property', 'what town', 'city of the parcel', 'municipality'],
    hint: 'Usually the taxing municipality, though some counties publish the post town; confirm jurisdiction before you ask for permits.',
  },
  original_address: {
    type: 'string',
    description: 'Situs address exactly as published by the county.',
    terms: ['address as the county wrote it', 'raw address', 'unedited address'],
    hint: 'Use it to see what the clean-up changed when a geocoder disagrees with the standardised line.',
  },
  szip: {
    type: 'string',
    description: 'Situs ZIP code, five or nine digits as published.',
    terms: ['property zip', 'zip plus four', 'zip of the lot'],
    hint: 'The four extra digits place the block face; without them the code is good for rates and mailing only.',
  },
  szip5: {
    type: 'string',
    description: 'Situs five-digit ZIP code.',
    terms: ['zip code', 'postal code', 'five-digit zip', 'código postal'],
    hint: 'Group comparables or insurance rates by it, knowing that ZIP areas follow mail routes and cross town lines.',
  },
  urbanization: {
    type: 'string',
    description: 'Puerto Rico urbanization name.',
    terms: ['urbanización', 'puerto rico neighborhood', 'urb'],
    hint: 'In Puerto Rico the house number repeats from one urbanization to the next: without this line the address is not unique.',
  },
  location_name: {
    type: 'string',
    description: 'Name of the building, farm or complex at the situs.',
    terms: ['name of the building', 'farm name', 'complex name', 'site name'],
    hint: 'Locals and responders know the site by this name; ask for it when the street sign is missing.',
  },
  address_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of National Address Database points on the parcel.',
    terms: ['how many addresses', 'number of doors', 'addresses on the lot'],
    hint: 'Several on one lot hint at multi-family use or undeclared units; none on built land suggests a barn, shed or address gap.',
  },
  neighborhood: {
    type: 'string',
    description: 'Assessor neighborhood name.',
    terms: ['neighborhood', 'area name', 'barrio', 'what neighborhood'],
    hint: 'Assessors value land by these areas: compare only with sales inside the same one.',
  },
  neighborhood_code: {
    type: 'string',
    description: 'Assessor neighborhood code.',
    terms: ['neighborhood number', 'assessor neighborhood', 'market area code'],
    hint: "The key of the assessor's land schedule; a border between two codes across the street explains a jump in value.",
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
