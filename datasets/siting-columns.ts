import { SITING_TEMPLATES, type SitingTemplate } from './siting-templates.ts';

/** A stored column of parcels: the international acres that one template of siting leaves. */
export interface SitingColumn {
  readonly template: SitingTemplate;
  /** All ground that is left, or the largest contiguous piece of it. */
  readonly measure: 'area' | 'largest';
  readonly description: string;
}

const columnsOf = (template: SitingTemplate): [string, SitingColumn][] => [
  [
    `buildable_acres_${template.name}`,
    {
      ...{ template, measure: 'area' },
      description: `Acres of the parcel that the template of POST /v1/buildable leaves: ${template.title}.`,
    },
  ],
  [
    `largest_buildable_acres_${template.name}`,
    {
      ...{ template, measure: 'largest' },
      description: `Acres of the largest contiguous piece of the parcel that the template leaves: ${template.title}.`,
    },
  ],
];

/** The columns that ingest calculates for each template, by name. Sets of parcels filter and rank by them; no search does. */
export const SITING_COLUMNS: ReadonlyMap<string, SitingColumn> = new Map(
  [...SITING_TEMPLATES.values()].flatMap(columnsOf),
);

/** The columns of one template. */
export const columnsOfTemplate = (template: SitingTemplate): readonly string[] =>
  [...SITING_COLUMNS].flatMap(([name, column]) => (column.template === template ? [name] : []));
