import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import { catalog } from '../datasets/catalog.ts';
import { columnsOf, parseCondition } from '../datasets/condition.ts';
import type { Column, Layer } from '../datasets/dataset.ts';
import {
  type ColumnExpression,
  type Coverage,
  type Join,
  joinsOf,
  type Place,
  type PlaceLayer,
} from '../datasets/place.ts';
import { NATIONAL } from './manifest.ts';
import { compileExpression } from './normalise.ts';
import { SHAPES } from './place-shape.ts';
import { expectationProblems } from './quality/stated.ts';
import { Misfit } from './value.ts';

/** Steps from the root of a place to one of its values. */
export type Path = readonly (string | number)[];

/** Something wrong with a place: where, and what was expected. */
export interface Problem {
  readonly path: Path;
  /** The key itself is wrong (unknown, misspelt), not its value. */
  readonly onKey: boolean;
  readonly message: string;
}

/** Any date will do: conditions are only parsed here. */
const AS_OF = '2000-01-01';

const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing';
const pointer = (text: string): Path =>
  text
    .split('/')
    .slice(1)
    .map(s => s.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map(s => (/^\d+$/.test(s) ? Number(s) : s));

function read(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((v, key) => (v as Record<string | number, unknown> | undefined)?.[key], value);
}

/** Problems of one checker, with the path it is at. */
class Checker {
  readonly problems: Problem[] = [];

  add(path: Path, message: string, onKey = false): void {
    this.problems.push({ path, message, onKey });
  }

  /** @returns whether the value has the shape. */
  shape(schema: TSchema, value: unknown, path: Path): boolean {
    const before = this.problems.length;
    const known = Object.keys((schema as { properties?: object }).properties ?? {});
    const unions = new Set<string>();
    for (const error of Value.Errors(schema, value)) {
      const at = [...path, ...pointer(error.instancePath)];
      const params = error.params as Record<string, unknown>;
      const found = shown(read(value, pointer(error.instancePath)));
      if (error.schemaPath.includes('/anyOf/') || error.keyword === 'boolean') continue;
      if (error.keyword === 'required')
        for (const name of params.requiredProperties as string[]) this.add(at, `"${name}" is missing`);
      else if (error.keyword === 'additionalProperties')
        for (const name of params.additionalProperties as string[])
          this.add(
            [...at, name],
            `unknown key "${name}"${at.length === path.length ? `; known: ${known.join(', ')}` : ''}`,
            true,
          );
      else if (error.keyword === 'anyOf') {
        if (!unions.has(error.instancePath)) this.add(at, `${found} is none of the values allowed here`);
        unions.add(error.instancePath);
      } else this.add(at, `${found} ${error.message}`);
    }
    return this.problems.length === before;
  }

  /** Runs what throws on wrong text and reports it. */
  attempt(path: Path, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof Misfit || error instanceof RangeError)) throw error;
      this.add(path, error.message);
    }
  }
}

function checkFile(checker: Checker, file: string, path: Path) {
  const steps = file.split('/');
  if (file.startsWith('/') || file.includes('\\') || /^[A-Za-z]:/.test(file) || steps.includes('..'))
    checker.add(path, `"${file}" leaves the sources folder; expected a path below it`);
}

function checkCoverage(checker: Checker, coverage: unknown, path: Path) {
  const object = coverage as Record<string, unknown> | null;
  const is = (key: string) => typeof object === 'object' && object !== null && key in object;
  const shape = is('file')
    ? SHAPES.coverageFile
    : is('extent')
      ? SHAPES.coverageExtent
      : is('everywhere')
        ? SHAPES.coverageEverywhere
        : null;
  if (!shape) return checker.add(path, 'expected {file: …}, {extent: true} or {everywhere: true}');
  if (!checker.shape(shape, coverage, path)) return;
  const known = coverage as Coverage;
  if (!('file' in known)) return;
  checkFile(checker, known.file, [...path, 'file']);
  if (known.where !== undefined) checker.attempt([...path, 'where'], () => parseCondition(known.where!));
}

function checkExpression(checker: Checker, expression: unknown, column: Column | null, path: Path) {
  if (typeof expression === 'string') {
    if (expression === '') checker.add(path, 'expected the name of a source column, found an empty text');
    return;
  }
  if (typeof expression !== 'object' || expression === null || Array.isArray(expression))
    return checker.add(
      path,
      `${shown(expression)} is no column expression; expected a source column's name or an object`,
    );
  if (!checker.shape(SHAPES.expression, expression, path)) return;
  const e = expression as Exclude<ColumnExpression, string>;
  const sources = [e.from, e.template, e.sum, e.const].filter(v => v !== undefined).length;
  if (sources !== 1) checker.add(path, `expected exactly one of from, template, sum, const; found ${sources}`);
  if (Array.isArray(e.from))
    for (const [i, part] of e.from.entries()) checkExpression(checker, part, null, [...path, 'from', i]);
  else if (e.from !== undefined && typeof e.from !== 'string')
    return checker.add([...path, 'from'], 'expected a column name or a list of them');
  checker.attempt(path, () => {
    const fill = compileExpression(e, column?.type ?? 'string', AS_OF);
    if (e.const !== undefined && e.when === undefined) fill({});
  });
}

/** Whether an entry of `unpublished` is a condition over columns of the layer. */
function isCondition(text: string, known: readonly string[]): boolean {
  try {
    return columnsOf(parseCondition(text)).every(name => known.includes(name));
  } catch {
    return false;
  }
}

function checkColumns(checker: Checker, layer: PlaceLayer, target: Exclude<Layer, { kind: 'raster' }>, path: Path) {
  const known = Object.keys(target.columns);
  const list = `columns of ${layer.dataset}:${layer.layer}: ${known.join(', ')}`;
  for (const [name, expression] of Object.entries(layer.columns)) {
    const column = Object.hasOwn(target.columns, name) ? target.columns[name]! : null;
    if (!column) checker.add([...path, 'columns', name], `unknown column "${name}"; ${list}`, true);
    else if (column.computed)
      checker.add([...path, 'columns', name], `column "${name}" is computed by the ingest; leave it out`, true);
    checkExpression(checker, expression, column, [...path, 'columns', name]);
  }
  const unpublished = layer.unpublished ?? [];
  for (const [i, name] of unpublished.entries()) {
    if (!known.includes(name) && !isCondition(name, known))
      checker.add([...path, 'unpublished', i], `unknown column "${name}", nor a condition over known ones; ${list}`);
    if (Object.hasOwn(layer.columns, name))
      checker.add([...path, 'unpublished', i], `column "${name}" is mapped and called unpublished; choose one`);
  }
  const silent = known.filter(
    name => !target.columns[name]!.computed && !Object.hasOwn(layer.columns, name) && !unpublished.includes(name),
  );
  if (silent.length > 0)
    checker.add([...path, 'columns'], `not mapped and not in unpublished: ${silent.join(', ')}`, true);
  if (target.kind === 'table' && !Object.hasOwn(layer.columns, target.key.column))
    checker.add([...path, 'columns'], `the key column ${target.key.column} must be mapped`, true);
  if (layer.dissolve !== undefined) {
    if (target.kind !== 'vector' || (layer.geometry ?? target.geometry) !== 'polygon')
      checker.add([...path, 'dissolve'], 'only polygon layers dissolve');
    if (!Object.hasOwn(layer.columns, layer.dissolve))
      checker.add(
        [...path, 'dissolve'],
        `"${layer.dissolve}" is no mapped column; mapped: ${Object.keys(layer.columns).join(', ')}`,
      );
  }
  if (layer.group !== undefined) {
    const { sum, of } = layer.group;
    if (target.kind !== 'vector' || target.joinKey === null)
      checker.add([...path, 'group'], 'only layers with a join key are grouped');
    else
      for (const name of [sum, of, target.joinKey])
        if (!Object.hasOwn(layer.columns, name)) checker.add([...path, 'group'], `"${name}" must be mapped`);
  }
  if (layer.latest !== undefined) {
    if (target.kind !== 'vector' || target.joinKey === null)
      checker.add([...path, 'latest'], 'only layers with a join key have a latest row');
    else if (!Object.hasOwn(layer.columns, layer.latest) || !Object.hasOwn(layer.columns, target.joinKey))
      checker.add([...path, 'latest'], `"${layer.latest}" and the join key ${target.joinKey} must be mapped`);
  }
  if (layer.distinct && target.kind !== 'table') checker.add([...path, 'distinct'], 'only tables keep distinct rows');
  if (layer.geometry && target.kind !== 'vector') checker.add([...path, 'geometry'], 'a table has no geometry');
}

function checkArea(checker: Checker, { state, county }: Pick<PlaceLayer, 'state' | 'county'>, path: Path) {
  if (state !== undefined && !/^[A-Z]{2}$/.test(state))
    checker.add([...path, 'state'], `"${state}": expected a two-letter state code`);
  if (county !== undefined && !/^\d{5}$/.test(county))
    checker.add([...path, 'county'], `"${county}": expected a five-digit county FIPS code`);
}

function checkJoin(checker: Checker, join: Join, path: Path) {
  if (!checker.shape(SHAPES.join, join, path)) return;
  checkFile(checker, join.file, [...path, 'file']);
  checkExpression(checker, join.key, null, [...path, 'key']);
  checkExpression(checker, join.to, null, [...path, 'to']);
  if (join.greatest && join.mean)
    checker.add([...path, 'mean'], 'rows that share a key are either chosen from or averaged; leave out one');
}

function checkLayer(checker: Checker, value: unknown, path: Path) {
  if (!checker.shape(SHAPES.layer, value, path)) return;
  const layer = value as PlaceLayer;
  checkFile(checker, layer.file, [...path, 'file']);
  checkArea(checker, layer, path);
  const dataset = catalog.datasets.get(layer.dataset);
  if (!dataset)
    return checker.add(
      [...path, 'dataset'],
      `unknown dataset "${layer.dataset}"; known: ${[...catalog.datasets.keys()].join(', ')}`,
    );
  const target = Object.hasOwn(dataset.layers, layer.layer) ? dataset.layers[layer.layer]! : null;
  if (!target)
    return checker.add(
      [...path, 'layer'],
      `unknown layer "${layer.layer}"; ${layer.dataset} has ${Object.keys(dataset.layers).join(', ')}`,
    );
  if (layer.coverage !== undefined) checkCoverage(checker, layer.coverage, [...path, 'coverage']);
  for (const { key, message } of expectationProblems(layer, target))
    checker.add([...path, 'expect', ...key], message, true);
  if (layer.where !== undefined) checker.attempt([...path, 'where'], () => parseCondition(layer.where!));
  for (const [i, join] of joinsOf(layer).entries())
    checkJoin(checker, join, Array.isArray(layer.join) ? [...path, 'join', i] : [...path, 'join']);
  if (target.kind !== 'raster') return checkColumns(checker, layer, target, path);
  for (const key of ['where', 'join', 'dissolve', 'distinct', 'geometry'] as const)
    if (layer[key] !== undefined) checker.add([...path, key], `a raster takes no ${key}`, true);
  for (const name of Object.keys(layer.columns))
    checker.add([...path, 'columns', name], 'a raster has no columns', true);
}

/** Everything wrong with a place, in the order of its text; empty when it is a valid Place for this catalog. */
export function checkPlace(value: unknown): Problem[] {
  const checker = new Checker();
  if (!checker.shape(SHAPES.place, value, [])) return checker.problems;
  const place = value as Place;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(place.name) || place.name === NATIONAL)
    checker.add(['name'], `"${place.name}": expected lower-case letters, digits and hyphens, and not "${NATIONAL}"`);
  checkArea(checker, place, []);
  checkCoverage(checker, place.coverage, ['coverage']);
  for (const [i, layer] of place.layers.entries()) checkLayer(checker, layer, ['layers', i]);
  return checker.problems;
}
