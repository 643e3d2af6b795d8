import { catalog } from '../../datasets/catalog.ts';
import { unitFactor } from '../../datasets/codes/units.ts';
import type { Layer } from '../../datasets/dataset.ts';
import { columnsOf, parseCondition } from '../../datasets/grammar/condition.ts';
import type { Coverage, PlaceFile, WrittenLayer } from '../../datasets/place/place.ts';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { withNearest } from '../../query/format/name/nearest-names.ts';
import { NATIONAL } from '../release/manifest.ts';
import { isParcelLayer } from '../release/parcel-layer.ts';
import { expectationProblems } from '../steps/quality/stated.ts';
import { Checker, type Problem } from './checker.ts';
import { isMargin, REST, unmapped, unpublishedOf } from './expand.ts';
import { checkExpression, checkFile } from './expression-check.ts';
import { checkFiles } from './files-check.ts';
import { checkJoins } from './join-check.ts';
import type { Path } from './source.ts';

export type { Path, Problem };

function checkCoverage(checker: Checker, coverage: unknown, path: Path) {
  const object = coverage as Record<string, unknown> | null;
  const is = (key: string) => typeof object === 'object' && object !== null && key in object;
  const shape = is('file')
    ? PARTS.coverageFile
    : is('extent')
      ? PARTS.coverageExtent
      : is('everywhere')
        ? PARTS.coverageEverywhere
        : null;
  if (!shape) return checker.add(path, 'expected {file: …}, {extent: true} or {everywhere: true}');
  if (!checker.shape(shape, coverage, path)) return;
  const valid = coverage as Coverage;
  if (!('file' in valid)) return;
  checkFile(checker, valid.file, [...path, 'file']);
  if (valid.where !== undefined) checker.attempt([...path, 'where'], () => parseCondition(valid.where!));
}

/** Whether an entry of `unpublished` is a condition over columns of the layer. */
function isCondition(text: string, columns: readonly string[]): boolean {
  try {
    return columnsOf(parseCondition(text)).every(name => columns.includes(name));
  } catch {
    return false;
  }
}

function checkColumns(checker: Checker, layer: WrittenLayer, target: Exclude<Layer, { kind: 'raster' }>, path: Path) {
  const columns = Object.keys(target.columns);
  const list = `columns of ${layer.dataset}:${layer.layer}: ${columns.join(', ')}`;
  for (const [name, expression] of Object.entries(layer.columns)) {
    const column = Object.hasOwn(target.columns, name) ? target.columns[name]! : null;
    if (!column)
      checker.add([...path, 'columns', name], `unknown column ${withNearest([name], columns)}; ${list}`, true);
    else if (column.computed)
      checker.add([...path, 'columns', name], `column "${name}" is computed by the ingest; leave it out`, true);
    checkExpression(checker, expression, column, [...path, 'columns', name]);
  }
  const { rest, listed } = unpublishedOf(layer);
  for (const [i, name] of (typeof layer.unpublished === 'string' ? [] : (layer.unpublished ?? [])).entries()) {
    if (name === REST) continue;
    if (!columns.includes(name) && !isCondition(name, columns))
      checker.add(
        [...path, 'unpublished', i],
        `unknown column ${withNearest([name], columns)}, nor a condition over known ones; ${list}`,
      );
    if (Object.hasOwn(layer.columns, name))
      checker.add([...path, 'unpublished', i], `column "${name}" is mapped and called unpublished; choose one`);
  }
  for (const [i, note] of (layer.provenance?.notes ?? []).entries())
    for (const [j, name] of note.columns.entries())
      if (!columns.includes(name))
        checker.add(
          [...path, 'provenance', 'notes', i, 'columns', j],
          `unknown column ${withNearest([name], columns)}; ${list}`,
        );
  const silent = rest ? [] : unmapped(layer, target).filter(name => !listed.includes(name) && !isMargin(target, name));
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

function checkArea(checker: Checker, { state, county }: Pick<WrittenLayer, 'state' | 'county'>, path: Path) {
  if (state !== undefined && !/^[A-Z]{2}$/.test(state))
    checker.add([...path, 'state'], `"${state}": expected a two-letter state code`);
  if (county !== undefined && !/^\d{5}$/.test(county))
    checker.add([...path, 'county'], `"${county}": expected a five-digit county FIPS code`);
}

/** Beginnings of what may be said of every value of a layer. */
const WHOLE_NOTE = /^(Stands in for |Synthetic\b|The mapping of this file was guessed )/;

function checkProvenance(checker: Checker, layer: WrittenLayer, place: PlaceFile, path: Path) {
  for (const name of PARTS.provenance.required)
    if (layer.provenance?.[name] === undefined && place.provenance?.[name] === undefined)
      checker.add([...path, 'provenance'], `"${name}" is missing`);
  const note = layer.provenance?.note ?? place.provenance?.note;
  if (typeof note === 'string' && !WHOLE_NOTE.test(note))
    checker.add(
      [...path, 'provenance', 'note'],
      'stands on every value of the layer, so it begins with "Stands in for" or "Synthetic"; a note on columns belongs ' +
        'into notes: [{columns: […], text: …}]',
    );
}

function checkGround(checker: Checker, { ground, ...layer }: WrittenLayer, path: Path) {
  if (ground !== undefined && !isParcelLayer(layer))
    checker.add([...path, 'ground'], 'only a layer of parcels (parcel_store:main) has rows that are no parcels', true);
  for (const [i, one] of (ground ?? []).entries()) {
    const at = [...path, 'ground', i];
    if (checker.shape(PARTS.ground, one, at)) checker.attempt([...at, 'where'], () => parseCondition(one.where));
  }
}

function checkLayer(checker: Checker, value: unknown, place: PlaceFile, path: Path) {
  const before = checker.problems.length;
  if (!checker.shape(PARTS.layer, value, path)) return;
  const layer = value as WrittenLayer;
  if (layer.omit)
    checker.add([...path, 'omit'], 'only an inherited layer is left out, and this place extends none', true);
  checkProvenance(checker, layer, place, path);
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
  checkGround(checker, layer, path);
  checkRasterOptions(checker, layer, target, [...path, 'options']);
  checkCut(checker, layer, target, place, [...path, 'cut']);
  if (target.kind !== 'raster') {
    checkColumns(checker, layer, target, path);
    return checkJoins(checker, layer, target, [...path, 'join'], before);
  }
  for (const key of ['where', 'join', 'dissolve', 'distinct', 'geometry'] as const)
    if (layer[key] !== undefined) checker.add([...path, key], `a raster takes no ${key}`, true);
  for (const name of Object.keys(layer.columns))
    checker.add([...path, 'columns', name], 'a raster has no columns', true);
}

/** Adds a problem for a cut that says nothing, or two things, or that the layer cannot have. */
function checkCut(
  checker: Checker,
  { cut, national, coverage }: WrittenLayer,
  target: Layer,
  place: PlaceFile,
  path: Path,
) {
  if (cut === undefined) return;
  if ((cut.km === undefined) === (cut.outline === undefined)) checker.add(path, 'expected one of `km` and `outline`');
  if (cut.whole && cut.km === undefined) checker.add([...path, 'whole'], 'goes with `km`', true);
  if (national) checker.add(path, 'a national file is not cut: leave `national` out', true);
  if (target.kind !== 'vector' && target.kind !== 'raster')
    checker.add(path, 'only features and rasters are cut: rows of tables have a key, and roads make one graph', true);
  if (!cut.outline) return;
  if (target.kind !== 'vector') checker.add([...path, 'outline'], 'only features are cut by an outline', true);
  const bounds = coverage ?? place.coverage;
  if (!('file' in bounds)) checker.add([...path, 'outline'], 'needs a coverage with a `file` of polygons', true);
}

/** Adds a problem for what only a raster takes, and for a unit that is not one of the layer's. */
function checkRasterOptions(checker: Checker, { options = {} }: WrittenLayer, target: Layer, path: Path) {
  for (const key of ['unit', 'scale', 'nodata'] as const)
    if (options[key] !== undefined && target.kind !== 'raster')
      checker.add([...path, key], `only a raster takes ${key}; columns have expressions`, true);
  if (options.unit === undefined || target.kind !== 'raster') return;
  if (target.unit === undefined) checker.add([...path, 'unit'], 'the layer holds codes, which have no unit', true);
  else if (unitFactor(options.unit, target.unit) === null)
    checker.add([...path, 'unit'], `"${options.unit}" is no unit that becomes ${target.unit}`);
}

/** Adds a problem if two layers have the same id, because a place that extends this one changes a layer by its id. */
function checkIds(checker: Checker, { layers }: PlaceFile) {
  const seen = new Set<string>();
  for (const [i, layer] of layers.entries()) {
    const id = (layer as WrittenLayer | null)?.id;
    if (id === undefined) continue;
    if (seen.has(id)) checker.add(['layers', i, 'id'], `"${id}" is the id of another layer too`);
    seen.add(id);
  }
}

/**
 * Returns all problems of a place; an empty list if it is a valid PlaceFile for this catalog.
 * @param value the place, including what it inherits.
 */
export function checkPlace(value: unknown): Problem[] {
  const checker = new Checker();
  if ((value as PlaceFile | null)?.abstract === true) {
    checker.add(['abstract'], 'a template is not ingested itself; name a place file that extends it', true);
    return checker.problems;
  }
  if (!checker.shape(PARTS.place, value, [])) return checker.problems;
  const place = value as PlaceFile;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(place.name) || place.name === NATIONAL)
    checker.add(['name'], `"${place.name}": expected lower-case letters, digits and hyphens, and not "${NATIONAL}"`);
  checkArea(checker, place, []);
  checkCoverage(checker, place.coverage, ['coverage']);
  if ('optional' in place.coverage)
    checker.add(['coverage', 'optional'], 'only a layer can be left out; the place needs its coverage', true);
  checkIds(checker, place);
  for (const [i, layer] of place.layers.entries()) checkLayer(checker, layer, place, ['layers', i]);
  checkFiles(checker, place);
  return checker.problems;
}
