import { groundText, groundTotal } from '../../../datasets/place/ground-kind.ts';
import type { IngestCount } from '../../../datasets/release.ts';
import { groundName, percent, rowsOf } from './found.ts';

/** Returns a line about one column: rows without a value, hits of lookups, values outside the list; null if there is none. */
function columnLine(name: string, { quality }: IngestCount): string | null {
  if (!quality) return null;
  const { rows, nulls, hits, unlisted, blanks } = quality;
  const parts: string[] = [];
  if (nulls[name]) parts.push(`${percent(nulls[name] / rows)} without a value`);
  const [lookups, found] = hits[name] ?? [0, 0];
  if (lookups > 0) parts.push(`${percent(found / lookups)} of ${lookups} looked up and found`);
  if (unlisted[name]) parts.push(`${rowsOf(unlisted[name])} outside the closed list`);
  if (blanks[name]) parts.push(blankText(blanks[name]));
  return parts.length > 0 ? `  ${name}: ${parts.join('; ')}` : null;
}

const blankText = (rows: number) =>
  `${rowsOf(rows)} without a source value ${rows === 1 ? 'stays' : 'stay'} empty, which otherwise does not fill`;

/** Returns the measures of each file of a place for people: one line for each file, and one for each column with a finding. */
export function qualityTable(counts: readonly IngestCount[]): string[] {
  return counts.flatMap(count => {
    const { dataset, layer, file, read, skipped, rejected, repaired, written, dissolvedTo, quality } = count;
    const taken = written + rejected;
    const parts = [`${rowsOf(read)} read`, `${dissolvedTo ?? written} stored`];
    if (skipped > 0) parts.push(`${skipped} skipped`);
    if (rejected > 0) parts.push(`${rejected} rejected (${percent(rejected / taken)})`);
    if (repaired > 0) parts.push(`${repaired} repaired`);
    if (count.unaddressed) parts.push(`${count.unaddressed} whose address cannot be read`);
    if (count.ground) parts.push(`${groundTotal(count.ground)} no parcels (${groundText(count.ground)})`);
    const { placed } = quality ?? {};
    for (const [name, text] of [
      ['swapped', 'with latitude and longitude exchanged'],
      ['noDegrees', 'without degrees'],
      ['elsewhere', 'outside the United States'],
      ['outside', `beyond ${groundName(placed ?? {})}`],
    ] as const)
      if (placed?.[name]) parts.push(`${placed[name]} ${text}`);
    // Its coverage is its own extent or file, and no smaller ground is known with which to compare it.
    if (placed?.features && (placed.within === 'state' || placed.within === 'country'))
      parts.push(`held against ${groundName(placed)} alone`);
    const names = new Set([...Object.keys(quality?.nulls ?? {}), ...Object.keys(quality?.hits ?? {})]);
    const columns = [...names].flatMap(name => columnLine(name, count) ?? []);
    const notes = (count.notes ?? []).map(note => `  ${note}`);
    if (count.capped) notes.push(`  only a part of what its service has: ${count.capped}`);
    return [`${dataset}:${layer}  ${file}: ${parts.join(', ')}`, ...notes, ...columns];
  });
}

/** Returns a line for each column with nulls that no `otherwise` filled, those of most rows first. */
export function blankLines(counts: readonly IngestCount[]): string[] {
  return counts
    .flatMap(({ dataset, layer, quality }) =>
      Object.entries(quality?.blanks ?? {}).map(([column, rows]) => ({ rows, at: `${dataset}:${layer} ${column}` })),
    )
    .sort((a, b) => b.rows - a.rows)
    .map(({ at, rows }) => `${at}: ${blankText(rows)}`);
}
