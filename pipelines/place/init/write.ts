import { Document, isCollection, stringify } from 'yaml';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import { stateName } from '../../../datasets/codes/state-names.ts';
import type { GuessedColumn, GuessedLayer } from './guess.ts';
import type { InitResult } from './init.ts';
import { titleOf } from './kind.ts';
import { isOsmExtract } from './osm-extract.ts';

/** The note in answers of every layer, until somebody confirms the place file. */
const NOTE = 'The mapping of this file was guessed by plat place init and is not confirmed yet.';
/** Guesses below this score are marked as doubtful. */
const DOUBTFUL = 0.65;

/** Returns a value as YAML on one line. */
function flow(value: unknown): string {
  const document = new Document(value);
  if (isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0 }).trim();
}

const key = (name: string) => stringify(name, { lineWidth: 0 }).trim();
const score = (value: number) => Math.min(1, value).toFixed(2);

function columnComment({ score: sure, notes, others, sources }: GuessedColumn): string {
  const parts = [
    ...(sources.length > 0 ? [`guess ${score(sure)}${sure < DOUBTFUL ? ', look at it' : ''}`] : []),
    ...(others.length > 0 ? [`also could be ${others.join(', ')}`] : []),
    ...notes,
  ];
  return parts.join('; ');
}

/** Returns a line with its comment: beside it if both are short, else above it. */
function commented(line: string, comment: string): string[] {
  if (comment === '') return [line];
  const said = comment.replace(/\s+/g, ' ');
  if (line.length + said.length < 116) return [`${line}  # ${said}`];
  return [`${/^ */.exec(line)![0]}# ${said}`, line];
}

const words = (text: string) => text.replace(/[_-]+/g, ' ').replace(/\s+/g, ' ').trim();

/** Returns the title of a place: `forest-city-nc` becomes Forest City, North Carolina. */
function titleOfPlace({ name, area }: InitResult): string {
  const ending = `-${area.state.toLowerCase()}`;
  const bare = words(name.endsWith(ending) ? name.slice(0, -ending.length) : name);
  return `${bare.replace(/\b[a-z]/g, letter => letter.toUpperCase())}, ${stateName(area.state) ?? area.state}`;
}

function layerLines(layer: GuessedLayer, result: InitResult): string[] {
  const { sample, rest } = layer;
  const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
  const columns = target.kind === 'raster' ? {} : target.columns;
  const unpublished = Object.keys(columns).filter(name => !columns[name]!.computed && !layer.columns.has(name));
  const crs = result.crs.get(sample) ?? [];
  const lines = [
    `  # ${layer.dataset}:${layer.layer}, guess ${score(layer.score)} by ${layer.why}${layer.others.length > 0 ? `; also could be ${layer.others.join(', ')}` : ''}`,
    `  - dataset: ${layer.dataset}`,
    `    layer: ${key(layer.layer)}`,
    `    file: ${key(sample.file)}`,
  ];
  if (sample.format !== null) lines.push(`    format: ${sample.format}`);
  if (Object.keys(sample.options).length > 0) {
    const said = crs.map(g => `${g.crs} ${score(g.score)} ${g.why}`).join('; ');
    lines.push(
      ...commented(`    options: ${flow(sample.options)}`, said === '' ? '' : `the file does not say its CRS: ${said}`),
    );
  }
  if (rest.where !== undefined) lines.push(`    where: ${key(rest.where)}`);
  for (const name of ['national', 'geometry', 'dissolve', 'distinct', 'coverage', 'expect'] as const)
    if (rest[name] !== undefined) lines.push(`    ${name}: ${flow(rest[name])}`);
  if (layer.ground.length > 0) lines.push('    ground:');
  for (const { kind, where, score: sure, note } of layer.ground) {
    const look = sure < DOUBTFUL ? ', look at it' : '';
    lines.push(`      # guess ${score(sure)}${look}: ${note}`, `      - kind: ${kind}`, `        where: ${key(where)}`);
  }
  if (layer.joins.length > 0) lines.push('    join:');
  for (const { join, score: sure, note } of layer.joins) {
    const [first, ...others] = Object.entries(join);
    lines.push(`      # guess ${score(sure)}: ${note}`, `      - ${first![0]}: ${flow(first![1])}`);
    for (const [name, value] of others) lines.push(`        ${name}: ${flow(value)}`);
  }
  lines.push(layer.columns.size === 0 ? '    columns: {}' : '    columns:');
  for (const column of layer.columns.values())
    lines.push(...commented(`      ${key(column.target)}: ${flow(column.expression)}`, columnComment(column)));
  if (unpublished.length > 0)
    lines.push('    unpublished: rest', ...wrapped('    # The rest: ', unpublished, '', '    #   '));
  if (layer.unused.length > 0) lines.push(...wrapped('    # Not used of the file: ', layer.unused, '', '    #   '));
  const title = words(titleOf(sample)) || layer.layer;
  lines.push(
    '    provenance:',
    `      source: ${result.name.replaceAll('-', '_')}_${layer.layer === 'main' ? layer.dataset : layer.layer.toLowerCase()}`,
    `      title: ${key(title)}`,
    ...provenanceLines(layer),
    `      note: ${NOTE}`,
  );
  return lines;
}

/** Returns the lines of a provenance: the publisher if the kind of file tells it, and the date that the file states. */
function provenanceLines({ dataset, sample }: GuessedLayer): string[] {
  const vintage = sample.date === null ? 'not stated  # of which date is it?' : `"${sample.date}"  # as the file says`;
  const osm = isOsmExtract(sample.path) ? catalog.datasets.get(dataset) : undefined;
  return [
    osm
      ? `      publisher: ${key(osm.publisher)}  # unless it is an extract of another database`
      : '      publisher: not stated  # who published the file?',
    '      url: null  # where?',
    `      licence: ${osm ? key(osm.licence) : 'not stated'}`,
    `      vintage: ${vintage}`,
  ];
}

/** Returns items separated by commas, on lines of at most 120 characters. */
function wrapped(head: string, items: readonly string[], tail: string, indent = '      '): string[] {
  const lines: string[] = [];
  let line = head;
  for (const [i, item] of items.entries()) {
    const piece = item + (i < items.length - 1 ? ', ' : tail);
    if (line.length + piece.trimEnd().length > 118) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += piece;
  }
  lines.push(line);
  return lines;
}

/** Returns the place file in YAML. Every guess has its score and its alternatives; unused files are listed at the end. */
export function placeYaml(result: InitResult, out: string): string {
  const { area, coverage, layers, left, unread } = result;
  const how = (command: string) => `#   plat ${command} --sources ${result.sources} --place-file ${out}`;
  const lines = [
    '# Made by plat place init: everything marked "guess" was told by names and values, with how sure that is (0 to 1).',
    '# Look at what is below 0.65 first, say who published the files, then:',
    how('place check'),
    how('ingest plan'),
    how('ingest run'),
    `name: ${result.name}`,
    `title: ${key(titleOfPlace(result))}`,
    `state: ${key(area.state)}`,
    `county: "${area.county}"  # ${area.why}`,
    ...commented(`coverage: ${flow(coverage.coverage)}`, `guess ${score(coverage.score)}: ${coverage.why}`),
    'layers:',
    ...layers.flatMap(layer => layerLines(layer, result)),
  ];
  if (left.length > 0) lines.push('', '# In no layer:');
  for (const { file, why } of left) lines.push(`#   ${file}: ${why}`);
  if (unread.length > 0) lines.push('', '# Could not be read:');
  for (const { file, reason } of unread) lines.push(`#   ${file}: ${reason.replace(/\s+/g, ' ')}`);
  return `${lines.join('\n')}\n`;
}
