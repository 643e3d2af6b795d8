import type { Column } from '../../datasets/dataset.ts';
import type { ColumnExpression } from '../../datasets/place/place.ts';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { compileExpression } from '../steps/normalise.ts';
import { type Checker, shown } from './checker.ts';
import type { Path } from './source.ts';

/** Any date: conditions are only parsed here. */
const AS_OF = '2000-01-01';

/** Adds a problem if a path leaves the sources folder. */
export function checkFile(checker: Checker, file: string, path: Path) {
  const steps = file.split('/');
  if (file.startsWith('/') || file.includes('\\') || /^[A-Za-z]:/.test(file) || steps.includes('..'))
    checker.add(path, `"${file}" leaves the sources folder; expected a path below it`);
}

/** Adds the problems of a column expression. @param column target column; null if the expression has none of its own. */
export function checkExpression(checker: Checker, expression: unknown, column: Column | null, path: Path) {
  if (typeof expression === 'string') {
    if (expression === '') checker.add(path, 'expected the name of a source column, found an empty text');
    return;
  }
  if (typeof expression !== 'object' || expression === null || Array.isArray(expression))
    return checker.add(
      path,
      `${shown(expression)} is no column expression; expected a source column's name or an object`,
    );
  if (!checker.shape(PARTS.expressionObject, expression, path)) return;
  const before = checker.problems.length;
  const e = expression as Exclude<ColumnExpression, string>;
  const sources = [e.from, e.template, e.sum, e.const].filter(v => v !== undefined).length;
  if (sources !== 1) checker.add(path, `expected exactly one of from, template, sum, const; found ${sources}`);
  if (Array.isArray(e.from))
    for (const [i, part] of e.from.entries()) checkExpression(checker, part, null, [...path, 'from', i]);
  if (checker.problems.length > before) return;
  checker.attempt(path, () => {
    const fill = compileExpression(e, column?.type ?? 'string', AS_OF);
    if (e.const !== undefined && e.when === undefined) fill({});
  });
}
