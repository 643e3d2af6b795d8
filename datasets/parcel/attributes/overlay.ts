import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What other layers say of the parcel, stored with it. */
export const OVERLAY = {
  parcel_fema_flood_zone: {
    type: 'string',
    description: 'Stored FEMA flood zone covering most of the parcel.',
    terms: [
      'flood zone of the parcel',
      'is the lot in a flood zone',
      'floodplain of the property',
      'flood',
      'inundación',
    ],
    hint: 'Covers most of the lot, which says nothing about the building: check the footprint before insurance is bought.',
  },
  parcel_fema_flood_zone_raw: {
    type: 'string',
    description:
      'Stored list of every FEMA flood zone touching the parcel with its share, the largest first, such as X:0.75;AE:0.25.',
    terms: ['all flood zones on the lot', 'flood zones with shares', 'how much of the lot is in each flood zone'],
    hint: "A sliver of an A or V zone here still triggers a lender's determination; see where it runs.",
  },
  parcel_fema_flood_zone_date: {
    type: 'date',
    description: 'Date of the flood layer used for the stored zone (YYYY-MM-DD).',
    terms: ['date of the flood data', 'age of the flood layer', 'flood map date of the parcel'],
    hint: 'Map revisions after it are not in the stored zone: compare with the live flood fields.',
  },
  parcel_fema_nri_risk_rating: {
    type: 'string',
    description: "Stored National Risk Index rating of the parcel's census tract.",
    terms: ['disaster risk rating of the parcel', 'national risk index of the lot', 'natural hazard rating'],
    hint: 'Relative to the nation and dominated by expected dollar loss: dense areas rate high with modest hazard.',
  },
  qoz: {
    type: 'string',
    description: 'Whether the parcel lies in a Qualified Opportunity Zone: Yes or No.',
    terms: ['opportunity zone', 'qoz', 'tax break for investors', 'capital gains deferral'],
    hint: 'Yes opens capital gains deferral under its deadlines; tax counsel must confirm the designation for the investment date.',
  },
  qoz_tract: {
    type: 'string',
    description: 'Opportunity zone census tract of the parcel.',
    terms: ['opportunity zone tract', 'which opportunity zone', 'oz tract number'],
    hint: 'The 2010-vintage number that the designation lists: do not compare it with a 2020 tract.',
  },
  padus_public_access: {
    type: 'string',
    description: 'Stored PAD-US public access class covering most of the parcel.',
    terms: ['public access', 'can people walk there', 'open to the public', 'hunting access', 'trails'],
    hint: 'Open access nearby is an amenity, on the lot itself a sign that it is not private land.',
  },
  cdl_majority_category: {
    type: 'string',
    description: 'Stored majority Cropland Data Layer class on the parcel.',
    terms: ['main crop', 'what is grown on the lot', 'crop on the parcel', 'farm crop', 'cultivo'],
    hint: 'Shows what a satellite saw growing: use it to test a claimed farm use, not to value soil.',
  },
  cdl_majority_percent: {
    type: 'number',
    unit: 'percent',
    precision: 0.01,
    description: 'Share of the parcel in the majority Cropland Data Layer class.',
    terms: ['share of the main crop', 'how much of the lot is one crop', 'crop percent'],
    hint: 'Under about 60 the lot is mixed and the single class misleads.',
  },
  cdl_date: {
    type: 'string',
    description: 'Crop year of the stored Cropland Data Layer overlay.',
    terms: ['crop year', 'year of the crop data', 'cropland season'],
    hint: 'Fields rotate: one crop year is a snapshot, so look at a neighbour year before you conclude.',
  },
  highest_parcel_elevation: {
    type: 'number',
    unit: 'm',
    precision: 0.1,
    description: 'Highest elevation on the parcel.',
    terms: ['highest point', 'top of the property', 'highest ground on the lot'],
    hint: 'Set against the lowest it gives the fall over the site, and so earthwork and gravity drainage.',
  },
  lowest_parcel_elevation: {
    type: 'number',
    unit: 'm',
    precision: 0.1,
    description: 'Lowest elevation on the parcel.',
    terms: ['lowest point', 'bottom of the property', 'lowest ground on the lot'],
    hint: 'Compare with base flood elevation in the same datum: below it part of the lot is wet in the design flood.',
  },
  mean_parcel_slope_percent: {
    type: 'number',
    unit: 'percent',
    precision: 0.01,
    description: 'Mean slope on the parcel.',
    terms: ['slope of the lot', 'how steep is the property', 'average slope of the land', 'pendiente del terreno'],
    hint: 'Above 15 grading dominates cost and many ordinances limit disturbance; one cliff can lift the mean of flat land.',
  },
  bldg_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of mapped building footprints on the parcel.',
    terms: ['how many buildings', 'buildings on the lot', 'structures on the parcel'],
    hint: "Sheds count too and trees hide roofs: a difference from the assessor's number is a reason to look, not a finding.",
  },
  bldg_footprint_sqft: {
    type: 'number',
    unit: 'sq ft',
    description: 'Total mapped building footprint area on the parcel.',
    terms: ['building footprint', 'roof area', 'ground covered by buildings', 'footprint square feet'],
    hint: 'Divide by lot area for coverage and compare with the zoning limit; eaves make it larger than the walls.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
