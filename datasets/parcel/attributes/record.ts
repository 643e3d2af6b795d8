import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Where the record comes from and how fresh it is. */
export const RECORD = {
  source_agency: {
    type: 'string',
    description: 'County or state agency that published the parcel.',
    hint: 'Ask this office when a value looks wrong: corrections must be made at the source.',
  },
  source_dataset: {
    type: 'string',
    description: 'Name of the published parcel dataset.',
    hint: 'Cite it in reports so that others can retrieve the same file.',
  },
  source_url: {
    type: 'string',
    description: 'Web address of the published parcel dataset.',
    hint: 'Fetch the current file here when the stored date is too old for your purpose.',
  },
  sourcedate: {
    type: 'date',
    description: 'Publication date of the source parcel file (YYYY-MM-DD).',
    hint: 'Anything sold, split or built after it is missing.',
  },
  source_license: {
    type: 'string',
    description: 'Licence or use terms of the source parcel file.',
    hint: 'Read it before redistributing: some counties forbid resale or demand attribution.',
  },
  geometry_source: {
    type: 'string',
    description: 'Origin of the parcel geometry: county, state or municipality.',
    hint: "County outlines follow assessors' maps, not surveys: none of them settles a boundary.",
  },
  geometry_updated_date: {
    type: 'date',
    description: 'Date the county last revised the parcel geometry (YYYY-MM-DD).',
    hint: "Newer than the attributes means a split in progress: number and values may still be the parent's.",
  },
  reviseddate: {
    type: 'date',
    description: 'Date the county last revised the parcel attributes (YYYY-MM-DD).',
    hint: 'An old date on a lot known to have sold shows how far the office lags.',
  },
  record_status: {
    type: 'string',
    description: 'Status of the stored record: active, retired or unassessed.',
    hint: 'Anything but active should stop a mail merge or offer until you know what replaced it.',
  },
  stack_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of records sharing this parcel geometry, such as condominium units.',
    computed: true,
    hint: 'Above one the outline is shared, as by condominium units: divide land measures before you add them up.',
  },
  last_refresh_at: {
    type: 'timestamp',
    description: 'Time the source was last checked (UTC ISO 8601).',
    hint: 'Says when we looked, not when the county changed something; old means stale by our own doing.',
  },
  updated_at: {
    type: 'timestamp',
    description: 'Time the stored record last changed (UTC ISO 8601).',
    hint: 'Re-run your own checks on records that changed after your last pull.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
