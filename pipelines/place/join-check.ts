import type { Layer } from '../../datasets/dataset.ts';
import { type Join, joinsOf, type WrittenLayer } from '../../datasets/place/place.ts';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { columnsNeeded } from '../steps/layer-columns.ts';
import type { Checker } from './checker.ts';
import { checkExpression, checkFile } from './expression-check.ts';
import type { Path } from './source.ts';

function checkSeveral(checker: Checker, several: unknown, path: Path) {
  checker.shape(
    typeof several === 'object' && several !== null ? PARTS.severalByColumn : PARTS.severalWord,
    several,
    path,
  );
}

/** Adds a problem for columns that the mapping reads but `several` leaves out. */
function checkSilence(checker: Checker, layer: WrittenLayer, { several, prefix }: Join, path: Path) {
  if (typeof several !== 'object' || several === null) return;
  const read = columnsNeeded(layer).filter(name => name.startsWith(`${prefix}.`));
  const silent = read.filter(name => !Object.hasOwn(several, name.slice(prefix.length + 1)));
  if (silent.length > 0)
    checker.add([...path, 'several'], `does not say what several values of ${silent.join(', ')} become`);
}

/** Adds the problems of one join. @returns whether other joins can be compared with it. */
function checkJoin(checker: Checker, join: Join, target: Layer, path: Path): boolean {
  if (!checker.shape(PARTS.join, join, path)) return false;
  checkFile(checker, join.file, [...path, 'file']);
  checkExpression(checker, join.key, null, [...path, 'key']);
  checkExpression(checker, join.to, null, [...path, 'to']);
  if (join.greatest && join.mean)
    checker.add([...path, 'mean'], 'rows that share a key are either chosen from or averaged; leave out one');
  if (join.several !== undefined) {
    if (join.greatest || join.mean)
      checker.add(
        [...path, 'several'],
        'greatest or mean says already what rows that share a key become; leave out one',
      );
    checkSeveral(checker, join.several, [...path, 'several']);
  }
  if (join.geometry) {
    if (target.kind !== 'vector') checker.add([...path, 'geometry'], 'a table has no geometry');
    if (join.mean) checker.add([...path, 'geometry'], 'rows that are averaged have no geometry');
  }
  return true;
}

/** Adds the problems of a layer's joins. @param before number of problems before this layer was checked. */
export function checkJoins(checker: Checker, layer: WrittenLayer, target: Layer, path: Path, before: number): void {
  const prefixes = new Set<string>();
  let shaped = false;
  const joins = joinsOf(layer).map((join, i) => ({ join, at: Array.isArray(layer.join) ? [...path, i] : path }));
  for (const { join, at } of joins) {
    if (!checkJoin(checker, join, target, at)) continue;
    if (prefixes.has(join.prefix)) checker.add([...at, 'prefix'], `"${join.prefix}" is the prefix of another join too`);
    prefixes.add(join.prefix);
    if (join.geometry && shaped) checker.add([...at, 'geometry'], 'another join brings the geometry already');
    shaped ||= join.geometry === true;
  }
  // The columns that are read are known only if all texts parse.
  if (checker.problems.length === before) for (const { join, at } of joins) checkSilence(checker, layer, join, at);
}
