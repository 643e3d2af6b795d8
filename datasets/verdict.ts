// The rules by which values decide, and the function that judges by them. This file imports nothing, so that the explorer judges by it
// as answers in words do.

/** What a value decides: yes, no, too near a limit or a mapped line to tell, or nothing. */
export type Outcome = 'yes' | 'no' | 'line' | 'unknown';

/** Values: true, any, classes, all classes but some, numbers from a limit on, or numbers under one. */
type Yes =
  | true
  | 'any'
  | readonly (string | number)[]
  | { readonly except: readonly string[] }
  | { readonly from: number }
  | { readonly under: number };

/** The words of a rule in another language; in those that answer, `{value}` stands where it does in English. */
export interface VerdictWords {
  /** As it follows "si": "el lugar es un humedal". */
  readonly matter: string;
  readonly yes: string;
  readonly no: string;
  readonly settledBy: string;
}

/** How the value of a field decides a matter, beside its hint. In the words, `{value}` stands for the value with its unit. */
export interface VerdictRule {
  /** Values that are a yes. All others are a no. */
  readonly yes: Yes;
  /** Values that leave it open, such as a zone that nobody has studied. */
  readonly open?: readonly (string | number)[];
  /** Numbers so near the limit are on the line, in the unit of the field. */
  readonly margin?: number;
  /** What is decided, as it follows "whether". Fields with the same matter decide the same. */
  readonly matter: string;
  /** Sentences that answer, without a full stop. */
  readonly words: { readonly yes: string; readonly no: string };
  /** What would change or settle the verdict: a noun, as in "… would be needed to settle it". */
  readonly settledBy: string;
  readonly spanish?: VerdictWords;
}

/** What of a rule judges. */
type Criterion = Pick<VerdictRule, 'yes' | 'open' | 'margin'>;

/** The parts of a record that a verdict rests on. */
export interface Judged {
  readonly status: string;
  readonly value: unknown;
  readonly notes: string | null;
  readonly error?: string;
  /** When the map or table is of, as its publisher says it. */
  readonly dataset_vintage: string | null;
}

/** How near the mapped line is on whose other side the value would be another. */
export interface Edge {
  readonly metres: number;
  /** Metres within which the source places its lines. */
  readonly accuracy: number;
  /** The value there; null where the note names none. */
  readonly beyond: string | null;
}

/** What a value decides. */
export interface Verdict {
  readonly outcome: Outcome;
  /** How near the mapped line is; null where none is near. */
  readonly edge: Edge | null;
  /** Why it is on the line or not known, in words without a full stop; null for yes and no. */
  readonly why: string | null;
  /** When the map or table that decides is of; null where its publisher gives no date. */
  readonly dated: string | null;
}

/** The note that the engine writes about a value near a mapped line (certaintyOf in query/evaluate/edge/certainty.ts). */
const EDGE =
  /(?:^|\. )([\d.]+) (k?m) from (?:ground where it is (.+?) \(\w+\)|[^.]+?), while the source is accurate to ([\d.]+) (k?m)/;

/** The nearest line that a note tells of; null for none. */
function edgeOf(notes: string | null): Edge | null {
  const [, distance, unit, beyond, accuracy, of] = EDGE.exec(notes ?? '') ?? [];
  if (distance === undefined) return null;
  const metres = (number: string, unit: string) => Number(number) * (unit === 'km' ? 1000 : 1);
  return { metres: metres(distance, unit!), accuracy: metres(accuracy!, of!), beyond: beyond ?? null };
}

/** Feet of a meter. */
const FOOT = 0.3048;

/** A distance in words: feet, with meters in brackets. */
function lengthOf(metres: number): string {
  const feet = metres / FOOT;
  const said = feet >= 10 ? Math.round(feet) : Number(feet.toPrecision(2));
  const inDigits = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  return `${inDigits(said)} feet (${inDigits(metres)} meters)`;
}

/** How near the mapped line is, in words. */
function edgeSaid({ metres, accuracy, beyond }: Edge, value: unknown): string {
  // A number of other ground beside the value would read as its.
  const isTold = beyond !== null && typeof value !== 'number';
  const otherwise = !isTold ? 'otherwise' : `as ${beyond.length > 4 ? `“${beyond.replace(/[“”"]/g, "'")}”` : beyond}`;
  return `ground mapped ${otherwise} is ${lengthOf(metres)} away, while the source is accurate to ${lengthOf(accuracy)}`;
}

/** The limit of a rule on numbers; null for other rules. */
function limitOf({ yes }: Criterion): number | null {
  if (typeof yes !== 'object') return null;
  return 'from' in yes ? yes.from : 'under' in yes ? yes.under : null;
}

function isYes({ yes }: Criterion, value: unknown): boolean {
  if (yes === true) return value === true;
  if (yes === 'any') return value !== '';
  if ('from' in yes) return Number(value) >= yes.from;
  if ('under' in yes) return Number(value) < yes.under;
  return 'except' in yes ? !yes.except.includes(String(value)) : yes.includes(value as string | number);
}

/**
 * Judges a record by the rule of its field. A line nearer than the source is accurate leaves both sides possible. Pure.
 * @param rule of the catalog, or of GET /v1/meta/fields: they have one shape where they judge.
 * @param record of fetch, enrichment or a dossier.
 */
export function verdictOf(rule: Criterion, record: Judged): Verdict {
  const { status, value, notes, error, dataset_vintage: dated } = record;
  if (status !== 'ok' || value === null || value === undefined) {
    const why = (status === 'failed' ? error : notes) || 'the source has no data for this place';
    return { outcome: 'unknown', edge: null, why, dated };
  }
  const edge = edgeOf(notes);
  if (rule.open?.includes(value as string | number))
    return { outcome: 'unknown', edge, why: `the value, ${String(value)}, leaves it open`, dated };
  if (edge !== null && edge.metres <= edge.accuracy)
    return { outcome: 'line', edge, why: edgeSaid(edge, value), dated };
  const limit = limitOf(rule);
  if (limit !== null && rule.margin !== undefined && Math.abs(Number(value) - limit) <= rule.margin)
    return { outcome: 'line', edge, why: 'the value is too near the limit where that changes', dated };
  return { outcome: isYes(rule, value) ? 'yes' : 'no', edge, why: null, dated };
}

/**
 * The sentence for a verdict, without a full stop.
 * @param value as it is told, with its unit.
 * @param why what follows a verdict that stays open; none where it is null.
 */
export function wordsOf(
  { matter, words }: Pick<VerdictRule, 'matter' | 'words'>,
  { outcome, why }: Pick<Verdict, 'outcome' | 'why'>,
  value: string,
): string {
  if (outcome === 'yes' || outcome === 'no') return words[outcome].replaceAll('{value}', value);
  const open = outcome === 'line' ? 'It is too close to call whether' : 'It is not known here whether';
  return `${open} ${matter}${why === null ? '' : `: ${why}`}`;
}
