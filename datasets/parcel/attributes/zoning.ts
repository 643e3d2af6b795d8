import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What local law allows. */
export const ZONING = {
  zoning: {
    type: 'string',
    description: 'Zoning district code as published.',
    hint: 'Take it to the ordinance for setbacks, height and uses; variances and planned developments do not show in the code.',
  },
  zoning_description: {
    type: 'string',
    description: 'Zoning district description as published.',
    hint: 'A label, not the law: two districts described alike can differ in density and parking.',
  },
  zoning_type: {
    type: 'string',
    description: 'Harmonised zoning type such as residential, commercial, industrial or agricultural.',
    hint: 'Allows a first cut across towns; mixed-use and planned districts hide in every one of its classes.',
  },
  zoning_subtype: {
    type: 'string',
    description: 'Harmonised zoning subtype such as single family or light industrial.',
    hint: 'Distinguishes by-right candidates from those that need a rezoning before you spend on design.',
  },
  zoning_overlay: {
    type: 'string',
    description: 'Zoning overlay district code.',
    hint: 'Adds rules on top of the base district, such as historic review or airport height limits: read both.',
  },
  zoning_jurisdiction: {
    type: 'string',
    description: 'Municipality or county that administers the zoning.',
    hint: 'Whom to call: in extraterritorial areas the city zones land outside its own limits.',
  },
  zoning_code_link: {
    type: 'string',
    description: 'Web address of the zoning ordinance.',
    hint: 'Opens the rules in force on the day you click, which can be newer than the stored district.',
  },
  zoning_source_date: {
    type: 'date',
    description: 'Date of the zoning layer used (YYYY-MM-DD).',
    hint: 'Amendments since then are missing: ask the planner about cases if it is more than a year back.',
  },
  future_land_use: {
    type: 'string',
    description: 'Future land use or comprehensive plan designation.',
    hint: 'A rezoning towards this designation has the plan on its side; one against it needs an amendment first.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
