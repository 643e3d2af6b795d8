import type { Expectation } from '../../../datasets/place/expectation.ts';
import type { IngestCount, LayerQuality } from '../../../datasets/release.ts';
import { type Contents, exceeds, percent, rowsOf, type Unmet } from './found.ts';
import { isOlder } from './vintage.ts';

/** Returns the sum of several files, with the latest vintage. */
export function sumOf(counts: readonly IngestCount[]): Contents {
  const add = (tables: readonly Readonly<Record<string, number>>[]) => {
    const sum: Record<string, number> = {};
    for (const table of tables) for (const [name, n] of Object.entries(table)) sum[name] = (sum[name] ?? 0) + n;
    return sum;
  };
  const stored = counts.reduce((sum, c) => sum + (c.dissolvedTo ?? c.written), 0);
  const measured = counts.flatMap(c => c.quality ?? []);
  if (measured.length < counts.length) return { stored, quality: null };
  const hits: Record<string, readonly [number, number]> = {};
  for (const q of measured)
    for (const [name, [lookups, found]] of Object.entries(q.hits))
      hits[name] = [lookups + (hits[name]?.[0] ?? 0), found + (hits[name]?.[1] ?? 0)];
  const quality: LayerQuality = {
    rows: measured.reduce((sum, q) => sum + q.rows, 0),
    nulls: add(measured.map(q => q.nulls)),
    blanks: add(measured.map(q => q.blanks)),
    unlisted: add(measured.map(q => q.unlisted)),
    hits,
    placed: null,
    vintage: measured.reduce(
      (latest, q) => (isOlder(latest, q.vintage) ? q.vintage : latest),
      measured[0]?.vintage ?? '',
    ),
  };
  return { stored, quality };
}

/** Yields the expectations that are not met compared with the last release. */
export function* relative(now: Contents, before: Contents, expected: Required<Expectation>): Generator<Unmet> {
  const { fewer, more } = expected;
  const change = now.stored - before.stored;
  const share = before.stored > 0 ? Math.abs(change) / before.stored : 0;
  // Of a dozen rows one is more than five per cent, so one row may change. The loss of the last row is reported.
  const small = Math.abs(change) === 1 && now.stored > 0;
  if (before.stored > 0 && !small && exceeds(share, change < 0 ? fewer : more))
    yield [
      'rows',
      {
        rows: now.stored,
        what: `${rowsOf(now.stored)}, ${before.stored} in the last release (${change < 0 ? '−' : '+'}${percent(share)}; −${percent(fewer)} to +${percent(more)} may be)`,
      },
    ];
  const [a, b] = [now.quality, before.quality];
  if (a && b && isOlder(a.vintage, b.vintage))
    yield ['vintage', { what: `its vintage ${a.vintage} is older than ${b.vintage} of the last release` }];
  if (!a || !b || a.rows === 0 || b.rows === 0) return;
  for (const [column, nulls] of Object.entries(a.nulls)) {
    const before = b.nulls[column];
    if (before === undefined) continue;
    const [share, was] = [nulls / a.rows, before / b.rows];
    const lost = nulls === a.rows && before < b.rows;
    if (lost || (nulls - was * a.rows > 1 && exceeds(share - was, expected.nullsRise)))
      yield [
        'nulls',
        {
          column,
          rows: nulls,
          what: lost
            ? `no row holds a value; ${b.rows - before} of ${b.rows} did in the last release`
            : `${nulls} of ${rowsOf(a.rows)} hold no value (${percent(share)}), ${percent(was)} in the last release (at most ${percent(expected.nullsRise)} more may)`,
        },
      ];
  }
  for (const [column, [lookups, found]] of Object.entries(a.hits)) {
    const before = b.hits[column];
    if (!before) continue;
    const [share, was] = [found / lookups, before[1] / before[0]];
    if (found > 0 && was * lookups - found > 1 && exceeds(was - share, expected.hitsFall))
      yield [
        'hits',
        {
          column,
          rows: lookups - found,
          what: `the mapping’s lookup, patterns or join found something for ${percent(share)} of the rows that have a value, for ${percent(was)} in the last release (at most ${percent(expected.hitsFall)} less may)`,
        },
      ];
  }
}
