import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Census areas of the representative point. */
export const CENSUS = {
  census_tract: {
    type: 'string',
    description: 'Eleven-digit 2020 census tract containing the representative point.',
    terms: ['census tract', 'tract number', 'which tract'],
    hint: 'Join for income and lending data; use the 2020 vintage on both sides or totals shift.',
  },
  census_blockgroup: {
    type: 'string',
    description: 'Twelve-digit 2020 census block group containing the representative point.',
    terms: ['block group', 'census block group', 'bg code'],
    hint: 'Smallest area with survey income data: its margins of error are wide, so quote them.',
  },
  census_block: {
    type: 'string',
    description: 'Fifteen-digit 2020 census block containing the representative point.',
    terms: ['census block', 'block number in the census', 'smallest census area'],
    hint: 'For counts of people and homes only; single blocks carry noise added for privacy.',
  },
  census_zcta: {
    type: 'string',
    description: 'ZIP Code Tabulation Area containing the representative point.',
    terms: ['zip area', 'census zip code', 'zcta'],
    hint: 'Stands in for a ZIP code in statistics; it can differ from the mailing code at the edges.',
  },
  census_place: {
    type: 'string',
    description: 'Seven-digit census place code containing the representative point.',
    terms: ['place code', 'census place', 'city code', 'incorporated place'],
    hint: 'No code means unincorporated land: county rules, services and taxes apply.',
  },
  census_subdivision: {
    type: 'string',
    description: 'County subdivision code as published, unmodified.',
    terms: ['township code', 'county subdivision code', 'minor civil division'],
    hint: 'In New England and the Midwest this town governs zoning and schools.',
  },
  census_unified_school_district: {
    type: 'string',
    description: 'Unified school district code containing the representative point.',
    terms: ['school district code', 'unified school district', 'school system code'],
    hint: 'Confirm attendance zones with the district: the line says who taxes, not which school.',
  },
  census_elementary_school_district: {
    type: 'string',
    description: 'Elementary school district code containing the representative point.',
    terms: ['elementary district', 'grade school district', 'k-8 district'],
    hint: 'Present only where grades are split: then school taxes come from two districts.',
  },
  census_secondary_school_district: {
    type: 'string',
    description: 'Secondary school district code containing the representative point.',
    terms: ['high school district', 'secondary district', 'high school system code'],
    hint: 'Pairs with the elementary district; add both levies for the bill.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
