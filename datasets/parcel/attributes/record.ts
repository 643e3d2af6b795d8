import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Where the record comes from and how fresh it is. */
export const RECORD = {
  source_agency: {
    type: 'string',
    description: 'County or state agency that published the parcel.',
    terms: ['who published the parcel', 'county office', 'data publisher', 'assessor'],
    hint: 'Ask this office when a value looks wrong: corrections must be made at the source.',
  },
  source_dataset: {
    type: 'string',
    description: 'Name of the published parcel dataset.',
    terms: ['name of the parcel data', 'which dataset', 'parcel file'],
    hint: 'Cite it in reports so that others can retrieve the same file.',
  },
  source_url: {
    type: 'string',
    description: 'Web address of the published parcel dataset.',
    terms: ['link to the parcel data', 'where does the record come from', 'county website'],
    hint: 'Fetch the current file here when the stored date is too old for your purpose.',
  },
  sourcedate: {
    type: 'date',
    description: 'Publication date of the source parcel file (YYYY-MM-DD).',
    terms: ['how old is the parcel data', 'date of the parcel file', 'data date'],
    hint: 'Anything sold, split or built after it is missing.',
  },
  source_license: {
    type: 'string',
    description: 'Licence or use terms of the source parcel file.',
    terms: ['license of the parcel data', 'licence of the parcel data', 'may i use the data', 'terms of use'],
    hint: 'Read it before redistributing: some counties forbid resale or demand attribution.',
  },
  geometry_source: {
    type: 'string',
    description: 'Origin of the parcel geometry: county, state or municipality.',
    terms: ['who drew the boundary', 'origin of the lot lines', 'boundary source'],
    hint: "County outlines follow assessors' maps, not surveys: none of them settles a boundary.",
  },
  geometry_updated_date: {
    type: 'date',
    description: 'Date the county last revised the parcel geometry (YYYY-MM-DD).',
    terms: ['when was the boundary changed', 'last boundary update', 'lot line revision'],
    hint: "Newer than the attributes means a split in progress: number and values may still be the parent's.",
  },
  reviseddate: {
    type: 'date',
    description: 'Date the county last revised the parcel attributes (YYYY-MM-DD).',
    terms: ['when was the record changed', 'last revision', 'county update date'],
    hint: 'An old date on a lot known to have sold shows how far the office lags.',
  },
  record_status: {
    type: 'string',
    description: 'Status of the stored record: active, retired or unassessed.',
    terms: ['active or retired', 'is the parcel still valid', 'record state'],
    hint: 'Anything but active should stop a mail merge or offer until you know what replaced it.',
  },
  stack_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of records sharing this parcel geometry, such as condominium units.',
    computed: true,
    terms: ['condos on one lot', 'stacked parcels', 'how many records share the lot', 'condominium units'],
    hint: 'Above one the outline is shared, as by condominium units: divide land measures before you add them up.',
  },
  last_refresh_at: {
    type: 'timestamp',
    description: 'Time the source was last checked (UTC ISO 8601).',
    terms: ['last checked', 'when was the source checked', 'data refresh'],
    hint: 'Says when we looked, not when the county changed something; old means stale by our own doing.',
  },
  updated_at: {
    type: 'timestamp',
    description: 'Time the stored record last changed (UTC ISO 8601).',
    terms: ['last changed', 'when did the record change', 'record update time'],
    hint: 'Re-run your own checks on records that changed after your last pull.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
