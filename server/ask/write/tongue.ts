import type { Verdict, VerdictRule } from '../../../datasets/verdict.ts';
import type { Lack } from '../../../query/enrich/availability.ts';
import type { Beyond, Evidence, Part } from '../backend.ts';
import type { OfSource } from '../reading/provenance.ts';

/** How a number stands to a limit that a question names. `mapped` is more, of an upper bound. */
export type Relation = 'more' | 'less' | 'equal' | 'just over' | 'just under' | 'mapped';

/** What a verdict is told with. */
export interface Decided extends Verdict {
  readonly rule: VerdictRule;
}

/** Where the values of an answer are from. */
export interface Origin {
  readonly place: string;
  /** First and last year of the data; null where none is stated. */
  readonly years: readonly [number, number] | null;
  readonly isMap: boolean;
  /** What the data stands in for. */
  readonly standsIn: string | null;
  readonly synthetic: 'all' | 'some' | 'none';
}

/** The sentences of a language, each without its full stop. Which are written, and in what order, is that of the writer. */
export interface Tongue {
  /** A value. @param name of the same thing, put into the same sentence. @param decides whether the answer rests on it. */
  statement(one: Evidence, name: Evidence | null, clause: string, decides: boolean): string;
  verdict(one: Evidence, decided: Decided, clause: string): string;
  /** A value beside a limit. @param limit as it is told. */
  beside(statement: string, relation: Relation, limit: string): string;
  /** Why nothing is known of some fields, and what would settle it. */
  gap(group: readonly Evidence[], rule: VerdictRule | null): string;
  /** Fields without a value, beside others that have one. */
  missing(group: readonly Evidence[]): string;
  /** What would settle a verdict that stays open. */
  settle(by: string, field: string): string;
  /** What the release, or a copy in it, lacks, and who can add it. */
  lacking(subjects: readonly string[], of: Lack['of']): string;
  /** What no field is about. @param words of the question. */
  unmet(words: readonly string[], parts: readonly Part[], whole: boolean): string;
  beyond(beyond: Beyond, refused: string): string;
  /** Where a value stands among others of the county; null where the language has no words for it. */
  standing(one: Evidence): string | null;
  /** What a part asks of the data behind a value. */
  ofSource(asked: OfSource, one: Evidence): string;
  closing(origin: Origin): string | null;
  /** What is told where no sentence on the records was supported, with its full stop. */
  readonly unsaid: string;
}
