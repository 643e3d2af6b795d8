import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What stands on it, as the county records it. */
export const STRUCTURE = {
  struct: {
    type: 'boolean',
    description: 'Whether the parcel has at least one structure.',
    hint: 'False is cheap evidence of buildable land, yet barns, mobile homes and new houses escape the roll.',
  },
  structno: {
    type: 'integer',
    unit: 'count',
    description: 'Number of structures recorded by the county.',
    hint: 'More buildings than bills or addresses may mean rentals; count roofs on imagery before you rely on it.',
  },
  yearbuilt: {
    type: 'integer',
    description: 'Year the primary structure was built.',
    hint: 'Before 1978 expect lead paint, before 1980 asbestos; zero or 1900 is often a placeholder.',
  },
  yearbuilt_effective: {
    type: 'integer',
    description: 'Effective year built used by the assessor.',
    hint: "Reflects renovation in the assessor's eyes: use it for depreciation, the original year for hazards and codes.",
  },
  numstories: {
    type: 'number',
    unit: 'count',
    description: 'Number of stories of the primary structure.',
    hint: 'Half stories are attics and split levels; footprint times stories bounds the floor area roughly.',
  },
  numunits: {
    type: 'integer',
    unit: 'count',
    description: 'Number of dwelling or leasable units.',
    hint: 'Five or more makes it commercial lending; compare with meters and mailboxes, since illegal units are not listed.',
  },
  numrooms: {
    type: 'integer',
    unit: 'count',
    description: 'Number of rooms.',
    hint: 'Counting rules differ (baths and halls in or out), so compare within one county only.',
  },
  numbedrooms: {
    type: 'integer',
    unit: 'count',
    description: 'Number of bedrooms.',
    hint: 'Septic permits and rental limits follow this number; adding one may need a larger system.',
  },
  numbathrooms: {
    type: 'number',
    unit: 'count',
    description: 'Number of bathrooms, half baths as 0.5.',
    hint: 'Listings count half baths as one: a mismatch with them is usually counting, not construction.',
  },
  structstyle: {
    type: 'string',
    description: 'Structure style or building type description.',
    hint: "Style drives the assessor's cost table; odd styles such as log or dome are harder to insure.",
  },
  bldg_area_sqft: {
    type: 'number',
    unit: 'sq ft',
    description: 'Total building area recorded by the county.',
    hint: 'May include garage and basement: never divide a sale price by it without the living area beside it.',
  },
  living_area_sqft: {
    type: 'number',
    unit: 'sq ft',
    description: 'Heated or living area recorded by the county.',
    hint: 'The denominator for price per square foot; unheated additions and finished basements are usually left out.',
  },
  construction_type: {
    type: 'string',
    description: 'Construction or frame type.',
    hint: 'Insurers rate by it: wood frame pays more for fire, masonry more in earthquake country.',
  },
  exterior_wall: {
    type: 'string',
    description: 'Exterior wall material.',
    hint: 'Hints at maintenance and wildfire hardening; wood siding in a high hazard zone raises the premium.',
  },
  roof_cover: {
    type: 'string',
    description: 'Roof covering material.',
    hint: 'Together with age it decides wind and wildfire insurability; many carriers refuse wood shake.',
  },
  foundation_type: {
    type: 'string',
    description: 'Foundation type.',
    hint: 'Slab sits on fill and crawl spaces flood first: read it beside the flood and soil fields.',
  },
  basement_type: {
    type: 'string',
    description: 'Basement type or finish.',
    hint: 'In a flood zone a finished one is uninsured loss: federal policies cover little below grade.',
  },
  heating_type: {
    type: 'string',
    description: 'Heating system type.',
    hint: 'Oil means a tank to inspect, electric baseboard a candidate for a heat pump.',
  },
  cooling_type: {
    type: 'string',
    description: 'Cooling system type.',
    hint: 'None recorded in a warming county is a retrofit cost and a comfort discount in rents.',
  },
  structure_quality: {
    type: 'string',
    description: 'Assessor quality or grade code.',
    hint: "A letter of one county's own scale: two steps apart can be a tenth of building value.",
  },
  structure_condition: {
    type: 'string',
    description: 'Assessor condition code.',
    hint: 'As last seen from the street, sometimes years ago; poor here with a recent permit means the record is stale.',
  },
  pool: {
    type: 'boolean',
    description: 'Whether the county records a swimming pool.',
    hint: 'Raises liability premium and upkeep; removed pools stay on the roll for years.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
