import { catalog } from '../../../datasets/catalog.ts';
import { labelOf } from '../../../datasets/codes/maps.ts';
import type { Confidence, Field } from '../../../datasets/dataset.ts';
import type { Answer } from '../../../query/evaluate/answer.ts';
import type { Subject } from '../oracle/subject.ts';
import { type FieldStatement, NotComputed } from './field-sql.ts';
import type { Publication } from './publication.ts';

/** What became of a field at the points of a place. */
export interface FieldTally {
  readonly place: string;
  readonly field: string;
  /** Values that were judged. */
  checked: number;
  right: number;
  /** Points where neither has a value. */
  absent: number;
  /** Points where PostGIS has a value, but Plat says why it has none. */
  withheld: number;
  /** Points so near an edge or a tie that either answer may be right. */
  doubtful: number;
  readonly byConfidence: Record<Confidence, { checked: number; right: number }>;
  readonly wrong: string[];
  readonly reasons: Map<string, number>;
}

/** One row of a field's statement. */
interface Computed {
  readonly id_: number;
  readonly value_: string | null;
  readonly doubt_: boolean | null;
}

/** Whether Plat's value is the one that PostGIS has. */
function agrees(field: Field, { off, anyCase }: FieldStatement, said: unknown, computed: string): boolean {
  if (typeof said === 'number') {
    const step = field.precision ?? 0;
    const value = Number(computed);
    // What is nearer than a step is told as one: 0 says that it is met.
    const expected = field.expression.op === 'nearest_distance' && value > 1e-6 ? Math.max(value, step) : value;
    return Math.abs(said - expected) <= Math.max(off[1], Math.abs(expected) * off[0]) + step / 2 + 1e-9;
  }
  const text = String(said);
  return anyCase ? text.toLowerCase() === computed.toLowerCase() : text === computed;
}

/** Holds what Plat answers at the points of a place against the statements of its fields. */
export async function comparisonOf(
  place: string,
  { db }: Publication,
  statements: ReadonlyMap<string, FieldStatement>,
  ask: Subject['ask'],
): Promise<FieldTally[]> {
  const tallies: FieldTally[] = [];
  // Fields of the same points are asked together.
  const groups = Map.groupBy(statements, ([, { sources }]) => [...sources].sort().join(' '));
  for (const group of groups.values()) {
    const { sources } = group[0]![1];
    const { rows: points } = await db.query<{ id_: number; lng: number; lat: number }>(
      'select id_, st_x(geom_) as lng, st_y(geom_) as lat from points where source_ = any($1) order by id_',
      [sources],
    );
    const asked = await ask(
      group.map(([name]) => name),
      points.map(({ lng, lat }) => [lng, lat] as const),
    );
    for (const [name, statement] of group) {
      const { rows } = await db.query<Computed>(statement.sql, [sources]);
      const byPoint = new Map(rows.map(row => [row.id_, row]));
      const tally = emptyTally(place, name);
      for (const [i, { id_, lng, lat }] of points.entries()) {
        const row = byPoint.get(id_);
        if (row) judge(tally, catalog.fields.get(name)!, statement, asked[i]!.answers[name]!, row, `${lng},${lat}`);
      }
      tallies.push(tally);
    }
  }
  return tallies;
}

const emptyTally = (place: string, field: string): FieldTally => ({
  ...{ place, field, checked: 0, right: 0, absent: 0, withheld: 0, doubtful: 0, wrong: [], reasons: new Map() },
  byConfidence: { high: { checked: 0, right: 0 }, medium: { checked: 0, right: 0 }, low: { checked: 0, right: 0 } },
});

function judge(
  tally: FieldTally,
  field: Field,
  statement: FieldStatement,
  answer: Answer,
  row: Computed,
  at: string,
): void {
  const code = row.value_;
  const computed = code !== null && statement.map !== undefined ? labelOf(statement.map, code) : code;
  if (answer.status === 'failed') throw new NotComputed(`${field.name} failed at ${at}: ${answer.error}`);
  if (row.doubt_) tally.doubtful++;
  else if (answer.value === null) {
    tally[computed === null ? 'absent' : 'withheld']++;
    if (computed !== null) {
      const reason = `${(answer.notes ?? '').replace(/\d+/g, 'N').slice(0, 300)}`;
      tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
    }
  } else {
    const right = computed !== null && agrees(field, statement, answer.value, computed);
    tally.checked++;
    tally.byConfidence[answer.confidence].checked++;
    if (right) {
      tally.right++;
      tally.byConfidence[answer.confidence].right++;
    } else
      tally.wrong.push(
        `${answer.value}, but ${computed} at ${at} (${answer.confidence}, ${answer.notes?.slice(0, 120)})`,
      );
  }
}
