import { catalog } from '../datasets/catalog.ts';
import type { Column, Dataset, Layer } from '../datasets/dataset.ts';
import { layerWords, typeWords } from '../pipelines/place/catalog-words.ts';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (value: unknown) => `\`${String(value).replaceAll('|', '\\|')}\``;

function meaning({ description, explainedBy, aliases, computed }: Column): string {
  return [
    ...(computed ? ['*Filled by the ingest; a place leaves it out.*'] : []),
    ...(description ? [cell(description)] : []),
    ...(explainedBy ? [`${code(explainedBy)} says why it is empty.`] : []),
    ...(aliases ? [`Also published as ${aliases.map(code).join(', ')}.`] : []),
  ].join(' ');
}

/** Where rows of a layer are filed. */
const filed = ({ partition }: Layer) =>
  typeof partition === 'string' ? `by ${partition}`.replace('by national', 'for the country') : 'by state and H3 cell';

function layerLines(dataset: Dataset, name: string, layer: Layer): string[] {
  const head = [`### ${dataset.id}:${name}`, '', `${layerWords(layer)}; filed ${filed(layer)}.`, ''];
  if (layer.kind === 'raster') return head;
  return [
    ...head,
    '| column | type | values | meaning |',
    '|---|---|---|---|',
    ...Object.entries(layer.columns).map(
      ([column, c]) =>
        `| ${code(column)} | ${typeWords(c)} | ${c.values ? c.values.map(code).join(', ') : ''} | ${meaning(c)} |`,
    ),
    '',
  ];
}

/** Every layer that a place may fill: its columns with their types, units and closed lists. */
export function renderPlaceColumns(): string {
  const datasets = [...catalog.datasets.values()];
  const layers = datasets.reduce((count, { layers }) => count + Object.keys(layers).length, 0);
  return [
    '# Layers and columns that a place fills',
    '',
    '<!-- Generated from datasets/products by `make docs`; do not edit. -->',
    '',
    `The ${layers} layers of ${datasets.length} datasets. How a place file maps onto them`,
    'is in [places.md](places.md). A column is mapped or called unpublished. One with a list of values has no others; an empty cell',
    'means that the list is open. A raster has no columns: its layer says `columns: {}`.',
    '',
    '| dataset | layers |',
    '|---|---|',
    ...datasets.map(
      ({ id, title, layers }) => `| [${id}](#${id}): ${cell(title)} | ${Object.keys(layers).map(code).join(', ')} |`,
    ),
    '',
    ...datasets.flatMap(dataset => [
      `## ${dataset.id}`,
      '',
      `${cell(dataset.title)}, ${cell(dataset.publisher)}.${dataset.notes ? ` ${cell(dataset.notes)}` : ''}`,
      '',
      ...Object.entries(dataset.layers).flatMap(([name, layer]) => layerLines(dataset, name, layer)),
    ]),
  ].join('\n');
}
