import { stringify } from 'yaml';
import { STATE_FIPS } from '../datasets/codes/state-fips.ts';
import type { StateTemplate } from '../datasets/place/state-template.ts';
import { countyParcels, templateOf, templates } from '../datasets/templates.ts';
import { columnsNeeded } from '../pipelines/steps/layer-columns.ts';

/** Columns that a template reads: for attributes, or to tell what is no parcel. */
const columnsRead = ({ place }: StateTemplate): string[] => columnsNeeded(place.layers[0]!);

/** Documented columns of a state's parcels: those that its template reads, then those that no attribute takes. */
export const documentedColumns = (template: StateTemplate): string[] => [
  ...new Set([...columnsRead(template), ...template.unmapped]),
];

/** The pages that define the columns, as links. */
const pagesOf = ({ documentation }: StateTemplate): string =>
  documentation.map((page, i) => `[${i + 1}](${page.replaceAll(' ', '%20')})`).join(' ');

/** The place of a county with a template, as a file of its own. */
function example(): string {
  const county = '37161';
  const { cut: _, ...parcels } = countyParcels(templateOf('NC')!, county);
  const head = { name: 'rutherford-nc', title: 'Rutherford County, North Carolina', county };
  return stringify({ ...head, ...parcels }, { lineWidth: 0 }).trimEnd();
}

/** Which columns of the states' parcels are mapped, as Markdown. */
export function renderStateParcels(): string {
  const states = [...templates.values()].sort((a, b) => (a.state < b.state ? -1 : 1));
  const row = (template: StateTemplate) => {
    const { state, name, title, columns, rows, unmapped, licence } = template;
    const documented = documentedColumns(template).length;
    const mapped = documented - unmapped.length;
    const county = `${STATE_FIPS[state]}001`;
    const whose =
      rows !== null
        ? `\`${rows(county)}\``
        : template.published(county).ground === undefined
          ? 'a service each'
          : 'its outline';
    return `| ${state} | \`${name}\` | ${title} | ${mapped} of ${documented} | ${Object.keys(columns).length} | ${whose} | ${licence} | ${pagesOf(template)} |`;
  };
  return `${[
    '# Parcels of the states',
    '',
    '<!-- Generated from datasets/templates by `make docs`; do not edit. -->',
    '',
    'States that publish the parcels of their counties in one documented schema',
    'have a template: an abstract place whose layer `parcels` maps their columns onto the attributes of',
    '[parcels.md](parcels.md). The place of a county extends it by its name and says which file holds its rows',
    '([places.md](places.md#templates)):',
    '',
    '```yaml',
    example(),
    '```',
    '',
    'A column that is not in a file is taken away with `null`; a column of one county is added. Dates are read as feature services',
    'and files write them. No publisher was within reach when this was written, in November 2026: the columns are those of the',
    'pages that define them, and of public programs that read the files. Each template lists the columns that no attribute takes.',
    'Codes become words only where the publisher lists what they mean.',
    '',
    '| state | template | product | columns mapped | attributes | rows of county 001 | license, as stated | defined by |',
    '|---|---|---|---|---|---|---|---|',
    ...states.map(row),
    '',
    `${states.length} states, ${states.reduce((sum, t) => sum + documentedColumns(t).length - t.unmapped.length, 0)} of ${states.reduce((sum, t) => sum + documentedColumns(t).length, 0)} documented columns.`,
    '',
  ].join('\n')}`;
}
