import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What it is taxed on. */
export const VALUATION = {
  landval: {
    type: 'number',
    unit: 'USD',
    description: 'Land value.',
    hint: 'High land against low building value marks a tear-down; assessed ratios must be undone before you compare counties.',
  },
  improvval: {
    type: 'number',
    unit: 'USD',
    description: 'Improvement (building) value.',
    hint: 'Zero on a lot with a roof on it means new or exempt construction: ask before you model taxes.',
  },
  parval: {
    type: 'number',
    unit: 'USD',
    description: 'Total parcel value.',
    hint: 'Check the basis beside it first: taxable, assessed and market totals of one lot can differ by several times.',
  },
  parvaltype: {
    type: 'string',
    description: 'Basis of the parcel value: market, assessed, appraised or taxable.',
    hint: "Without it no ratio between two counties' values makes sense.",
  },
  agval: {
    type: 'number',
    unit: 'USD',
    description: 'Agricultural or present-use value.',
    hint: 'Far below market under a present-use programme; development replaces it by full value and back taxes.',
  },
  marketval: {
    type: 'number',
    unit: 'USD',
    description: 'County market or just value when published apart from the assessed value.',
    hint: "The assessor's estimate on the valuation date, smoothed over a neighbourhood: a sanity check and no appraisal.",
  },
  taxable_value: {
    type: 'number',
    unit: 'USD',
    description: 'Value on which tax is computed after exemptions.',
    hint: "A buyer loses the seller's exemptions and caps, so next year's base is usually higher.",
  },
  exempt_value: {
    type: 'number',
    unit: 'USD',
    description: 'Value exempted from taxation.',
    hint: 'Belongs to the present owner, not to the land: take it off when you forecast your own bill.',
  },
  exemption_code: {
    type: 'string',
    description: 'Exemption code.',
    hint: 'Veteran, senior, church or government codes say who holds it and whether it ends with a transfer.',
  },
  homestead_exemption: {
    type: 'string',
    description: 'Homestead exemption code or flag as published.',
    hint: 'A yes means the owner swore to live there: absentee mailing plus a homestead is a red flag.',
  },
  taxamt: {
    type: 'number',
    unit: 'USD',
    description: 'Annual property tax billed.',
    hint: 'Includes special assessments in some counties; divide by the rate to see whether it is a full year.',
  },
  taxyear: {
    type: 'integer',
    description: 'Tax year of the billed amount and values.',
    hint: 'Bills and values only belong together when they share this year.',
  },
  assessment_year: {
    type: 'integer',
    description: 'Year of the last assessment or revaluation.',
    hint: 'The older it is, the larger the jump to expect at the next revaluation.',
  },
  prior_parval: {
    type: 'number',
    unit: 'USD',
    description: 'Total parcel value in the prior tax year.',
    hint: "A rise beyond the county's average points to new construction or a lost exemption.",
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
