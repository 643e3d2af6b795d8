import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What local law allows. */
export const ZONING = {
  zoning: {
    type: 'string',
    description: 'Zoning district code as published.',
    terms: ['zoning', 'zoned for', 'zoning district', 'what can i build', 'zonificación', 'zoning code'],
    hint: 'Take it to the ordinance for setbacks, height and uses; variances and planned developments do not show in the code.',
  },
  zoning_description: {
    type: 'string',
    description: 'Zoning district description as published.',
    terms: ['what does the zoning mean', 'zoning name', 'zoning district name', 'description of the zone'],
    hint: 'A label, not the law: two districts described alike can differ in density and parking.',
  },
  zoning_type: {
    type: 'string',
    description: 'Harmonised zoning type such as residential, commercial, industrial or agricultural.',
    terms: ['residential or commercial zoning', 'kind of zoning', 'general zoning', 'industrial zoning'],
    hint: 'Allows a first cut across towns; mixed-use and planned districts hide in every one of its classes.',
  },
  zoning_subtype: {
    type: 'string',
    description: 'Harmonised zoning subtype such as single family or light industrial.',
    terms: ['single family zoning', 'multifamily zoning', 'light industrial zoning', 'detailed zoning type'],
    hint: 'Distinguishes by-right candidates from those that need a rezoning before you spend on design.',
  },
  zoning_overlay: {
    type: 'string',
    description: 'Zoning overlay district code.',
    terms: ['overlay district', 'historic overlay', 'extra zoning rules', 'overlay zone'],
    hint: 'Adds rules on top of the base district, such as historic review or airport height limits: read both.',
  },
  zoning_jurisdiction: {
    type: 'string',
    description: 'Municipality or county that administers the zoning.',
    terms: ['who controls zoning', 'zoning authority', 'which town zones it', 'planning department'],
    hint: 'Whom to call: in extraterritorial areas the city zones land outside its own limits.',
  },
  zoning_code_link: {
    type: 'string',
    description: 'Web address of the zoning ordinance.',
    terms: ['zoning ordinance', 'link to the zoning code', 'zoning rules online', 'bylaws'],
    hint: 'Opens the rules in force on the day you click, which can be newer than the stored district.',
  },
  zoning_source_date: {
    type: 'date',
    description: 'Date of the zoning layer used (YYYY-MM-DD).',
    terms: ['how old is the zoning', 'zoning map date', 'date of the zoning data'],
    hint: 'Amendments since then are missing: ask the planner about cases if it is more than a year back.',
  },
  future_land_use: {
    type: 'string',
    description: 'Future land use or comprehensive plan designation.',
    terms: ['comprehensive plan', 'planned land use', 'general plan', 'future use', 'master plan'],
    hint: 'A rezoning toward this designation has the plan on its side; one against it needs an amendment first.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
