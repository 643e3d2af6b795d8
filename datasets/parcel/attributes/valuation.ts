import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What it is taxed on. */
export const VALUATION = {
  landval: {
    type: 'number',
    unit: 'USD',
    description: 'Land value.',
    terms: ['land value', 'value of the land', 'what is the land worth', 'assessed land'],
    hint: 'High land against low building value marks a tear-down; assessed ratios must be undone before you compare counties.',
  },
  improvval: {
    type: 'number',
    unit: 'USD',
    description: 'Improvement (building) value.',
    terms: ['building value', 'improvement value', 'value of the house alone', 'assessed improvements'],
    hint: 'Zero on a lot with a roof on it means new or exempt construction: ask before you model taxes.',
  },
  parval: {
    type: 'number',
    unit: 'USD',
    description: 'Total parcel value.',
    terms: ['property value', 'total value', 'assessed value', 'how much is it worth', 'appraised value', 'valor'],
    hint: 'Check the basis beside it first: taxable, assessed and market totals of one lot can differ by several times.',
  },
  parvaltype: {
    type: 'string',
    description: 'Basis of the parcel value: market, assessed, appraised or taxable.',
    terms: ['market or assessed', 'kind of value', 'basis of the valuation'],
    hint: "Without it no ratio between two counties' values makes sense.",
  },
  agval: {
    type: 'number',
    unit: 'USD',
    description: 'Agricultural or present-use value.',
    terms: ['agricultural value', 'farm value', 'present use value in dollars', 'use value'],
    hint: 'Far below market under a present-use program; development replaces it by full value and back taxes.',
  },
  marketval: {
    type: 'number',
    unit: 'USD',
    description: 'County market or just value when published apart from the assessed value.',
    terms: ['market value', 'fair market value', 'just value', 'true value', 'valor de mercado'],
    hint: "The assessor's estimate on the valuation date, smoothed over a neighborhood: a sanity check and no appraisal.",
  },
  taxable_value: {
    type: 'number',
    unit: 'USD',
    description: 'Value on which tax is computed after exemptions.',
    terms: ['taxable value', 'value after exemptions', 'tax base'],
    hint: "A buyer loses the seller's exemptions and caps, so next year's base is usually higher.",
  },
  exempt_value: {
    type: 'number',
    unit: 'USD',
    description: 'Value exempted from taxation.',
    terms: ['exempted value', 'tax exempt amount', 'value not taxed'],
    hint: 'Belongs to the present owner, not to the land: take it off when you forecast your own bill.',
  },
  exemption_code: {
    type: 'string',
    description: 'Exemption code.',
    terms: ['tax exemption', 'exempt property', 'exemption type', 'church or school exempt'],
    hint: 'Veteran, senior, church or government codes say who holds it and whether it ends with a transfer.',
  },
  homestead_exemption: {
    type: 'string',
    description: 'Homestead exemption code or flag as published.',
    terms: ['homestead', 'homestead exemption', 'primary residence tax break'],
    hint: 'A yes means the owner swore to live there: absentee mailing plus a homestead is a red flag.',
  },
  taxamt: {
    type: 'number',
    unit: 'USD',
    description: 'Annual property tax billed.',
    terms: ['property tax', 'taxes', 'how much are the taxes', 'tax bill', 'annual taxes', 'impuestos'],
    hint: 'Includes special assessments in some counties; divide by the rate to see whether it is a full year.',
  },
  taxyear: {
    type: 'integer',
    description: 'Tax year of the billed amount and values.',
    terms: ['tax year', 'year of the tax bill', 'which year are the taxes'],
    hint: 'Bills and values only belong together when they share this year.',
  },
  assessment_year: {
    type: 'integer',
    description: 'Year of the last assessment or revaluation.',
    terms: ['last assessment', 'revaluation year', 'when was it assessed', 'reappraisal'],
    hint: 'The older it is, the larger the jump to expect at the next revaluation.',
  },
  prior_parval: {
    type: 'number',
    unit: 'USD',
    description: 'Total parcel value in the prior tax year.',
    terms: ["last year's value", 'previous assessment', 'prior value', 'value before'],
    hint: "A rise beyond the county's average points to new construction or a lost exemption.",
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
