import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { OPERATORS, type OperatorName } from '../datasets/grammar/expression.ts';
import { loadCommands } from '../plat.ts';
import { AREA_FORMS } from '../query/evaluate/operators/area-forms.ts';
import { renderSettings } from '../server/commands/settings.ts';
import { renderPlans } from '../server/credits/document.ts';
import { renderErrors } from '../server/errors/registry.ts';
import { renderMetrics } from '../server/metrics/document.ts';
import { PRICES } from '../server/operations/prices.ts';
import { renderCatalog } from './catalog.ts';
import { CLIENT, clientFiles, renderClientFiles } from './client.ts';
import { renderParcels } from './parcels.ts';
import { renderPlaceColumns } from './place-columns.ts';
import { renderPlaces } from './places.ts';
import { renderStateParcels } from './state-parcels.ts';
import { TABLE_PAGES } from './tables.ts';

/** The commands of `plat` as Markdown, from the registry that also makes its help. */
export async function renderCommands(): Promise<string> {
  const lines = [
    '# Commands',
    '',
    '<!-- Generated from the registry of commands by `make docs`; do not edit. -->',
    '',
    'Everything that `plat` does from a terminal. In a checkout the commands run as `./plat COMMAND`.',
    '',
  ];
  for (const { name, args = [], summary, example, options } of await loadCommands()) {
    lines.push(`## plat ${[name, ...args].join(' ')}`, '', summary, '', '```sh', example, '```', '');
    for (const { flags, description, fallback } of options)
      lines.push(`- \`${flags}\`: ${description}${fallback === undefined ? '' : ` (default ${fallback})`}`);
    if (options.length > 0) lines.push('');
  }
  lines.push(
    '`plat completion bash` (or `zsh`, `fish`, `powershell`) prints a script that completes commands and flags; load it from the start-up file of the shell. `plat --version` prints the version.',
    'Every command also takes `--help`, `--json` (one JSON document on stdout), `--quiet` (progress and notes only if it fails) and each setting as a flag (settings.md).',
    'Results go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check found damage.',
    '',
  );
  return lines.join('\n');
}

/** The lines of the docstring that stands before an exported constant. @throws Error when there is none. */
function docstringOf(source: string, name: string, constant = 'operator'): string[] {
  const before = source.slice(0, source.indexOf(`export const ${constant}`));
  const start = before.lastIndexOf('/**');
  if (start < 0 || !before.trimEnd().endsWith('*/'))
    throw new Error(`query/evaluate/operators: ${name} documents no ${constant}`);
  return before
    .slice(start + 3, before.lastIndexOf('*/'))
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
    .split('\n');
}

/** What holds for every operator, and what the confidence rules of fields mean. */
const OPERATOR_RULES = `## Rules of all operators

- The point is the resolved location on fetch, the analysis point of the parcel on enrich and search; WGS84.
- Distances and areas are geodesic, on the WGS84 ellipsoid. A distance is to the nearest point of the geometry, zero inside
  a polygon, within 0.1 m or one part in a million of Karney's geodesics. Edges are straight in longitude and latitude.
- Of equally near features the smaller join key, as text, is taken; of overlapping polygons the smallest, or by
  \`pick=min\` and \`pick=max\` the one with the extreme value; of equally frequent codes the smaller.
- \`where[...]\` filters rows first: \`=\`, \`!=\`, \`<\`, \`<=\`, \`>\`, \`>=\`, \`in (...)\` with ranges \`a..b\`, \`like\` with \`%\`,
  \`is null\`, joined by \`and\` and \`or\`; \`value\` is a raster cell. \`@today-10y\` counts from the release's as-of date. Where
  a null decides, the condition is unknown, as in SQL, and so is an answer that hangs on it: absent, not false or zero.
- \`scale=\` and \`offset=\` convert to the declared unit, \`null[...]\` lists published values that mean missing, \`map=\` turns
  codes into the publisher's labels.
- \`ok\` includes zero, false and the empty list. \`absent\` has its reason in \`notes\`: outside the coverage, no data, nothing
  found, an empty value, an input that is absent. \`failed\` says what could not be read, and whether to try again.

Confidence rules:

- \`const(level)\` is the source's own.
- \`edge_m(d)\` is high where the polygon's boundary is more than d meters away, else medium.
- \`station_km(a;b)\` is high within a km of the nearest station used, medium within b, else low.
- \`cv(a;b)\` is high where the standard error is at most a percent of the value. It is medium up to b, and where no margin is at
  hand, else low.
- \`sign(n)\` is low within n standard errors of 0, else medium.
- \`parcel_match\` is high in the parcel, medium near it, low by its address alone.
- \`min_inputs\` is the lowest of the inputs'.

An address found by its street alone lowers any of them by one for values of the exact place.
`.split('\n');

/** The operators of the field grammar: arguments from the grammar, meaning and cost from each one's own file. */
export function renderOperators(): string {
  const lines = [
    '# Operators',
    '',
    '<!-- Generated from query/evaluate/operators by `make docs`; do not edit. -->',
    '',
    'What each operator answers, what was decided where its definition leaves a choice, and what it costs. A field is one call, `op(dataset[:layer], …)`. Both forms, a point on request and many points',
    'in bulk, give the same value, status, notes and confidence. Where an operator has an area form, that says about a site as a',
    'whole what the point form says about its ground ([sites.md](sites.md)).',
    '',
    ...OPERATOR_RULES,
  ];
  for (const [name, { positional, required, optional }] of Object.entries(OPERATORS)) {
    const text = (form: string) =>
      readFileSync(
        new URL(`../query/evaluate/operators/${name.replaceAll('_', '-')}${form}.ts`, import.meta.url),
        'utf8',
      );
    const list = (of: readonly string[]) => of.map(key => `\`${key}\``).join(', ');
    const takes = [
      `${positional} positional`,
      ...(required.length ? [`needs ${list(required)}`] : []),
      ...(optional.length ? [`may take ${list(optional)}`] : []),
    ];
    lines.push(`## ${name}`, '', `Arguments: ${takes.join('; ')}.`, '', ...docstringOf(text(''), name), '');
    if (AREA_FORMS.has(name as OperatorName))
      lines.push('### Over an area', '', ...docstringOf(text('-area'), name, 'form'), '');
  }
  return lines.join('\n');
}

/** What is written from a registry or from the routes, by its path from docs/; a test compares each with what is committed. */
export const DOCUMENTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'catalog.md': renderCatalog,
  'commands.md': renderCommands,
  'errors.md': renderErrors,
  'metrics.md': renderMetrics,
  'operators.md': renderOperators,
  'parcels.md': renderParcels,
  'place-columns.md': renderPlaceColumns,
  'state-parcels.md': renderStateParcels,
  'places.md': renderPlaces,
  'plans.md': () => renderPlans(PRICES),
  'settings.md': renderSettings,
  ...TABLE_PAGES,
};

if (process.argv[2] === 'write') {
  for (const [name, render] of Object.entries(DOCUMENTS)) writeFileSync(new URL(name, import.meta.url), await render());
  const files = await renderClientFiles();
  for (const gone of clientFiles().filter(path => !files.has(path))) rmSync(new URL(gone, CLIENT));
  for (const [path, text] of files) writeFileSync(new URL(path, CLIENT), text);
}
