import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { isEmpty, rawWords } from '../../ask/retrieval/words.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import type { KeptBody } from '../schema.ts';
import { quantityIn } from '../screening/quantity.ts';

/** The input of a scaffold. */
export interface Ticket {
  readonly row: FieldRequestRow;
  readonly body: KeptBody;
  /** Snake case. */
  readonly dataset: string;
  /** Catalog name → the ask that it answers. */
  readonly fields: ReadonlyMap<string, string>;
  readonly place: string;
  /** Two letters; the county has five digits. */
  readonly state: string;
  readonly county: string;
}

/** The criteria of a build, frozen when it began. */
export interface Evaluation {
  readonly request_id: string;
  readonly fields: readonly { readonly field: string; readonly ask: string }[];
  readonly examples: readonly {
    readonly index: number;
    readonly lat: number;
    readonly lng: number;
    readonly claimed_value: string | null;
  }[];
}

const quoted = (text: string) =>
  `'${text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll("'", "\\'").trim()}'`;

/** A first draft of a field. Engineers improve it once they have seen the publication. */
function draftOf(dataset: string, ask: string): { readonly [key: string]: string } {
  const quantity = quantityIn(ask);
  if (quantity === 'distance')
    return { type: 'number', unit: 'm', expression: `nearest_distance(${dataset}:main, max_km=100)` };
  if (quantity === 'count')
    return { type: 'integer', unit: 'count', expression: `count_within(${dataset}:main, radius_m=8000)` };
  return { type: 'string', expression: `nearest_attr(${dataset}:main, name, max_km=100)` };
}

function fieldText(dataset: string, name: string, ask: string): string {
  const title = name
    .replace(/_(?:m|km|pct|count)$/, '')
    .replaceAll('_', ' ')
    .replace(/^./, first => first.toUpperCase());
  const words = [...new Set(rawWords(ask).filter(word => !isEmpty(word)))].slice(0, 5);
  const draft = Object.entries(draftOf(dataset, ask)).map(([key, value]) => `      ${key}: ${quoted(value)},`);
  return [
    `    ${name}: {`,
    "      layer: 'built_environment',",
    ...draft,
    `      title: ${quoted(title)},`,
    `      description: ${quoted(ask)},`,
    "      confidence: 'const(medium)',",
    '      ttlSeconds: 2_592_000,',
    `      terms: [${[title.toLowerCase(), ...words].map(quoted).join(', ')}],`,
    "      hint: 'To be written: what the number means to someone who must act on it.',",
    '    },',
  ].join('\n');
}

/** The dataset file of a ticket. It compiles; publisher, address, licence and layer must be reviewed. */
export function datasetText({ body, dataset, fields }: Ticket): string {
  const source = body.known_sources?.suggested?.[0];
  const publisher = source?.name ?? 'To be named';
  return `import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: ${quoted(dataset)},
  title: ${quoted(publisher === 'To be named' ? dataset.replaceAll('_', ' ') : publisher)},
  publisher: ${quoted(publisher)},
  url: ${quoted(source?.url ?? 'https://example.org/')},
  format: 'geojson',
  licence: 'to be looked up',
  cadence: 'irregular',
  vintageRule: 'To be written: how the vintage of a copy is told.',
  acquire: { byHand: 'to be written: where its files are got' },
  layers: {
    main: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'id',
      partition: 'national',
      columns: {
        id: { type: 'string' },
        name: { type: 'string' },
      },
    },
  },
  fields: {
${[...fields].map(([name, ask]) => fieldText(dataset, name, ask)).join('\n')}
  },
});
`;
}

/** The place file of a ticket: the file that its layer is read from, and the names of its columns. */
export function placeText({ dataset, place, state, county, body }: Ticket): string {
  const source = body.known_sources?.suggested?.[0];
  return stringify({
    name: place,
    title: `${dataset.replaceAll('_', ' ')} in ${state}`,
    state,
    county,
    coverage: { everywhere: true },
    provenance: {
      source: dataset,
      title: dataset.replaceAll('_', ' '),
      publisher: source?.name ?? 'To be named',
      url: source?.url ?? 'https://example.org/',
      licence: 'to be looked up',
      vintage: String(new Date().getUTCFullYear()),
      note: null,
    },
    layers: [
      { dataset, layer: 'main', file: `${dataset}.geojson`, columns: { id: 'id', name: 'name' }, unpublished: 'rest' },
    ],
  });
}

/** The evaluation of a ticket: coordinates and claimed values, never an address. */
export const evaluationText = ({ row, body, fields }: Ticket): string =>
  `${JSON.stringify(
    {
      request_id: row.id,
      fields: [...fields].map(([field, ask]) => ({ field, ask })),
      examples: row.locations.map(({ index, resolved_location: { lat, lng } }) => ({
        index,
        lat,
        lng,
        claimed_value: body.example_locations[index]?.claimed_value ?? null,
      })),
    } satisfies Evaluation,
    null,
    2,
  )}\n`;

/** The digest that shows whether a frozen evaluation was changed. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Names of scaffolded files, below the folder of the build. */
export const EVALUATION = 'evaluation.json';
const PLACE = 'place.yaml';

/**
 * Writes new files, all or none.
 * @returns a function that deletes them again.
 * @throws Error when one of them exists.
 */
export function writeNew(files: ReadonlyMap<string, string>): () => void {
  const written: string[] = [];
  const undo = () => {
    for (const path of written) rmSync(path, { force: true });
  };
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
}

/** Paths of a build: the dataset file beside the others, the rest in its own folder. @param root of the checkout. */
export const pathsOf = (root: string, { row, dataset }: Ticket) => ({
  dataset: join(root, 'datasets/products', `${dataset.replaceAll('_', '-')}.ts`),
  place: join(root, 'field-requests', row.id, PLACE),
  evaluation: join(root, 'field-requests', row.id, EVALUATION),
});
