import { areaOf } from '../datasets/acquire.ts';
import { cadenceDays } from '../datasets/cadence.ts';
import { catalog } from '../datasets/catalog.ts';
import { type Dataset, FIELD_LAYERS, isAssessed } from '../datasets/dataset.ts';
import type { PlaceLayer } from '../datasets/place/place.ts';
import synthetic from '../datasets/places/synthetic.ts';
import { places } from '../datasets/places.ts';
import type { WorldFile } from '../pipelines/world/format/file.ts';
import { worldFiles } from '../pipelines/world/layer.ts';
import { makeWorld } from '../pipelines/world/world.ts';

/** The area that `plat world generate` writes when nothing else is asked for. */
const DEFAULT_WORLD = { parcels: 3000, seed: 1 } as const;

function length(rows: Iterable<unknown>): number {
  let count = 0;
  for (const _ of rows) count++;
  return count;
}

/** Lines of text without those before the rows. */
const linesBelow = (texts: Iterable<string>, { options = {} }: PlaceLayer) =>
  [...texts]
    .join('')
    .split('\n')
    .slice(options.skipLines ?? 0)
    .filter(Boolean).length - (options.header ? 0 : 1);

/** Rows that a layer of the synthetic area reads of its file; null for a raster. */
function rowsOf(file: WorldFile, layer: PlaceLayer): number | null {
  const { member, sheet, skipLines = 0 } = layer.options ?? {};
  if (file.kind === 'geotiff') return null;
  if (file.kind === 'xlsx') return file.sheets()[sheet!]!.length - skipLines - 1;
  if (file.kind === 'text') return linesBelow(file.lines(), layer);
  if (file.kind === 'geodatabase') return length(file.database.layers[layer.options!.layer!]!.rows());
  if (file.kind === 'geopackage') {
    const layers = Object.values(file.layers);
    return length((layer.options?.layer ? file.layers[layer.options.layer]! : layers[0]!).rows());
  }
  if (file.kind !== 'archive') return length(file.rows());
  const isGrid = Object.keys(file.members).every(name => name.endsWith('.asc'));
  return isGrid ? null : linesBelow(file.members[member ?? Object.keys(file.members)[0]!]!(), layer);
}

/** dataset → rows of its vector and table layers, and how many rasters it has. */
async function syntheticRows(): Promise<ReadonlyMap<string, { readonly rows: number; readonly grids: number }>> {
  const files = new Map(worldFiles(await makeWorld(DEFAULT_WORLD)).map(file => [file.path, file]));
  const counted = new Map<string, number | null>();
  const totals = new Map<string, { rows: number; grids: number }>();
  for (const layer of synthetic.layers) {
    // Soil layers share their file: its rows are read, and counted, once a layer.
    const id = JSON.stringify([layer.file, layer.options]);
    if (!counted.has(id)) counted.set(id, rowsOf(files.get(layer.file)!, layer));
    const rows = counted.get(id)!;
    const total = totals.get(layer.dataset) ?? { rows: 0, grids: 0 };
    if (rows === null) total.grids++;
    else total.rows += rows;
    totals.set(layer.dataset, total);
  }
  return totals;
}

/** Real files that places map onto a dataset, each named as what it is. */
function realFiles(dataset: string): string {
  const found = new Map<string, string>();
  for (const place of places.values())
    if (!place.synthetic)
      for (const layer of place.layers)
        if (layer.dataset === dataset)
          found.set(
            layer.file,
            layer.provenance.source === dataset ? 'the product itself' : `near relative: ${layer.provenance.source}`,
          );
  if (found.size === 0) return 'none available';
  return [...found].map(([file, what]) => `\`${file}\` (${what})`).join('<br>');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function spellings(dataset: Dataset): string[] {
  return Object.entries(dataset.layers).flatMap(([layer, definition]) =>
    definition.kind === 'raster'
      ? []
      : Object.entries(definition.columns)
          .filter(([, column]) => column.aliases)
          .map(([name, { aliases }]) => {
            const known = aliases!.map(alias => `\`${alias}\``).join(', ');
            return `| ${dataset.id}:${layer} | \`${name}\` | ${known} |`;
          }),
  );
}

function acquired({ id, cadence, acquire }: Dataset): string[] {
  const row = (...cells: readonly string[]) =>
    `| ${[id, `${cadenceDays(cadence)} d`, ...cells].map(cell).join(' | ')} |`;
  const files = (acquire.files ?? []).map(file => {
    const { url, elsewhere, via = 'http', where, ground, vintage, layers, seen, seenOn, note } = file;
    const page = vintage && 'index' in vintage ? ` named by ${vintage.index}` : '';
    const rows = where === undefined ? '' : `, rows with \`${where}\``;
    const other = elsewhere === undefined ? '' : `, or \`${elsewhere}\``;
    const box = ground === undefined ? '' : `, on the ground of the county and ${ground} km around`;
    const how = via === 'http' ? '' : `${via}: `;
    const told = note === undefined ? '' : `. ${note}`;
    const when = seenOn === undefined ? seen : `${seen}, ${seenOn}`;
    return row(layers?.join(', ') ?? 'all', `${how}\`${url}\`${other}${page}${rows}${box}${told}`, areaOf(file), when);
  });
  return acquire.byHand === undefined ? files : [...files, row('by hand', acquire.byHand, '', '')];
}

const accuracies = ({ id, layers }: Dataset): string[] =>
  Object.entries(layers).flatMap(([layer, definition]) =>
    definition.kind === 'vector' && definition.accuracyM !== undefined
      ? [`| ${id}:${layer} | ${definition.accuracyM} | ${cell(definition.accuracyIn ?? '')} |`]
      : [],
  );

const assessments = ({ id, layers }: Dataset): string[] =>
  Object.entries(layers).flatMap(([layer, definition]) =>
    'assessed' in definition
      ? (definition.assessed ?? []).map(
          ({ figure, unit, means, page }) => `| ${id}:${layer} | ${figure} ${unit} ${means} | <${page}> |`,
        )
      : [],
  );

/** How many layers of features and rasters there are, how many state how right they are, and the names of the others. */
function assessedShare(datasets: readonly Dataset[]): string[] {
  const layers = datasets.flatMap(({ id, layers }) =>
    Object.entries(layers).flatMap(([name, layer]) =>
      layer.kind === 'vector' || layer.kind === 'raster' ? [{ name: `${id}:${name}`, layer }] : [],
    ),
  );
  const silent = layers.filter(({ layer }) => !isAssessed(layer));
  return [
    `Of ${layers.length} layers of features and rasters ${layers.length - silent.length} are in one of these two tables. Not assessed, because nothing was`,
    'stated in a document that could be read, are:',
    '',
    ...silent.map(({ name }) => `- ${name}`),
  ];
}

/** The datasets and fields as Markdown: what they are, what of them was tested, and what each field is good for. */
export async function renderCatalog(): Promise<string> {
  const totals = await syntheticRows();
  const datasets = [...catalog.datasets.values()];
  const lines = [
    '# Catalog',
    '',
    '<!-- Generated from datasets/ by `make docs`; do not edit. -->',
    '',
    `${datasets.length} datasets, ${catalog.fields.size} fetch fields in ${FIELD_LAYERS.length} layers, ${catalog.presets.size} presets.`,
    '`GET /v1/meta/fields` gives the same with prices and with what a server holds.',
    '',
    '## Datasets',
    '',
    `Rows are those of the synthetic area as \`plat world generate\` writes it by default (${DEFAULT_WORLD.parcels} parcels, seed ${DEFAULT_WORLD.seed}). The real`,
    'file is what tests ingest through a place of datasets/places; another product or vintage is named as what it is.',
    '',
    '| dataset | publisher | published as | rows in the synthetic area | real file tested | fields |',
    '|---|---|---|---|---|---|',
  ];
  for (const { id, title, publisher, publishedAt, format, fields } of datasets) {
    const { rows, grids } = totals.get(id) ?? { rows: 0, grids: 0 };
    const held = [...(rows ? [String(rows)] : []), ...(grids ? [`${grids} raster${grids > 1 ? 's' : ''}`] : [])];
    lines.push(
      `| ${id}: ${cell(title)} | ${cell(publisher)} | ${cell(format)}, ${cell(publishedAt)} | ${held.join(', ') || 'none'} | ${realFiles(id)} | ${fields.length} |`,
    );
  }
  lines.push(
    '',
    '## Where the files come from',
    '',
    'What `plat ingest run` downloads for the files that a place file names under `files` ([places.md](places.md)), and what has',
    'to be put there by hand. Placeholders: `{st}`, `{ST}` postal code, `{fips}` of the state, `{stateName}`, `{stateSlug}` its name',
    'with underscores, or in small letters with hyphens; `{county}` five digits, `{countyCode}` the last three, `{countyNumber}` these',
    'without zeros; `{west}`, `{south}`, `{east}`, `{north}` of the ground; `{year}`, `{yy}`, `{month}` are tried from today back;',
    '`{link}`, `{vintage}` are read from a page; others are given under `with`. No publisher was within reach when this was written,',
    'in November 2026: *publication* is the address that its documents give, *public code* the one that several public programs',
    'download from (with the month in which one of them did, where it says so), *unconfirmed* is made from its other addresses.',
    '',
    '| dataset | looked at every | layers | address | of a | looked up in |',
    '|---|---|---|---|---|---|',
    ...datasets.flatMap(acquired),
    '',
    '## Spellings',
    '',
    'Columns that publishers write in several ways: each is accepted.',
    '',
    '| layer | column | also accepted |',
    '|---|---|---|',
    ...datasets.flatMap(spellings),
    '',
    '## Accuracy',
    '',
    'Stated horizontal accuracy of the layers whose publisher states one: a figure, or the scale of the maps (National Map',
    'Accuracy Standards: 1/50 inch on the map, 1/30 inch above 1:20,000). A place file gives its own where it maps another product.',
    'An answer that an edge of such a layer may change is low within the accuracy, medium at most within twice that. Where nobody',
    'states any it is medium at most within 50 m. A distance goes by the accuracy of both ends, the near one that of parcels.',
    '',
    '| layer | meters | stated in |',
    '|---|---|---|',
    ...datasets.flatMap(accuracies),
    '',
    'What publishers and studies found when they compared values with the ground, or what publishers ask. Values of a grid that is',
    'not here are medium at most. That no wetland is mapped is medium at most, because of what the inventory leaves out.',
    'Heights carry the error given here.',
    '',
    '| layer | found | page |',
    '|---|---|---|',
    ...datasets.flatMap(assessments),
    '',
    ...assessedShare(datasets),
    '',
    '## Steps',
    '',
    'Numbers, computed or passed on, are rounded to what their source can know: the column `step` below says to what, in the unit of',
    "the field. Distances go by the layer's accuracy (a tenth of it, as a power of ten, 0.1 m at least). A distance is 0 only where",
    'the feature is met: one of less than a step is told as a step. Where there is no step, the value is no number or a whole one.',
    '',
    '## Unconfirmed',
    '',
    'What was settled from documents alone, because no copy of the publication was at hand. A file that is otherwise stops the',
    'ingest with the column that it lacks, or needs a line in a place file.',
    '',
    ...datasets.flatMap(({ id, unconfirmed }) => (unconfirmed ? [`- ${id}: ${unconfirmed}`] : [])),
    '',
  );
  for (const layer of FIELD_LAYERS) {
    const fields = [...catalog.fields.values()].filter(field => field.layer === layer);
    lines.push(
      `## ${layer} (${fields.length})`,
      '',
      '| field | type | step | dataset | presets | what to make of it |',
      '|---|---|---|---|---|---|',
    );
    for (const { name, type, unit, precision, dataset, presets, hint } of fields)
      lines.push(
        `| \`${name}\` | ${type}${unit ? `, ${unit}` : ''} | ${precision ?? ''} | ${dataset} | ${Object.keys(presets ?? {}).join(', ')} | ${cell(hint)} |`,
      );
    lines.push('');
  }
  return lines.join('\n');
}
