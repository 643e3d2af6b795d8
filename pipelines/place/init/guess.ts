import type { Column } from '../../../datasets/dataset.ts';
import type { GroundKind } from '../../../datasets/place/ground-kind.ts';
import type { ColumnExpression, Join, PlaceLayer } from '../../../datasets/place/place.ts';
import type { ColumnMatch } from './column-match.ts';
import { express } from './express.ts';
import type { Profile } from './profile.ts';
import type { Sample } from './sample.ts';
import { translate, VOCABULARY } from './vocabulary.ts';

/** A guessed column of a layer. */
export interface GuessedColumn {
  readonly target: string;
  readonly expression: ColumnExpression;
  /** How sure the guess is, 0 to 1; null if it follows from another guess or a flag. */
  readonly score: number;
  /** Published columns that its values are read from. */
  readonly sources: readonly string[];
  /** Notes for the comment of its line. */
  readonly notes: readonly string[];
  /** Other published columns that it could be, with their scores. */
  readonly others: readonly string[];
}

/** A condition of `ground` in the place file, and what it was told by. */
export interface GroundGuess {
  readonly kind: GroundKind;
  readonly where: string;
  readonly score: number;
  readonly note: string;
}

/** A guessed layer of the place file. */
export interface GuessedLayer {
  readonly dataset: string;
  readonly layer: string;
  readonly sample: Sample;
  readonly score: number;
  /** The reason for the guess, in a few words. */
  readonly why: string;
  /** Other layers that it could be. */
  readonly others: readonly string[];
  readonly columns: ReadonlyMap<string, GuessedColumn>;
  /** Published columns that no column uses. */
  readonly unused: readonly string[];
  /** Of parcels: rows that are ground and no parcels. */
  readonly ground: readonly GroundGuess[];
  readonly joins: readonly { readonly join: Join; readonly score: number; readonly note: string }[];
  readonly rest: Partial<
    Pick<PlaceLayer, 'dissolve' | 'geometry' | 'national' | 'where' | 'coverage' | 'distinct' | 'expect'>
  >;
}

/** State and county of the place, as far as files and flags tell them. */
export interface Area {
  readonly state: string | null;
  readonly county: string | null;
  readonly countyName: string | null;
}

/** A file of a layer for the rules: its columns under the names that rows have. */
export interface Fields {
  readonly key: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Profiles with the names that rows have; joined columns have a prefix. */
  readonly profiles: readonly (Profile & { readonly as: string })[];
  readonly area: Area;
}

/** Returns a column guessed from a match; null if its values do not fit the target's type. */
export function fromMatch(fields: Fields, match: ColumnMatch): GuessedColumn | null {
  const { target, source, look } = match;
  const column = fields.columns[target]!;
  const as = fields.profiles.find(p => p.name === source.name)?.as ?? source.name;
  const key = `${fields.key}.${target}`;
  let score = match.score;
  let expressed: { expression: ColumnExpression; notes: readonly string[] } | null = null;
  if (VOCABULARY[key]) {
    const said = translate(key, source, column.values, as);
    const whole = said === null || column.values === undefined || said.left.length === 0;
    const same =
      said && typeof said.expression === 'object' && said.expression.lookup
        ? Object.entries(said.expression.lookup).every(([from, to]) => from === String(to))
        : false;
    if (said && same && whole) expressed = express(target, column, look, source, as);
    else if (said) {
      const left = said.left.slice(0, 8).join(', ');
      expressed = { expression: said.expression, notes: left ? [`becomes null: ${left}`] : [] };
      score *= 0.6 + 0.4 * said.share;
    }
  } else expressed = express(target, column, look, source, as);
  if (!expressed) return null;
  return {
    target,
    expression: expressed.expression,
    score,
    sources: [as],
    notes: expressed.notes,
    others: match.others.map(o => `${o.source.name} ${o.score.toFixed(2)}`),
  };
}
