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
}

/** The parts of a record that a verdict rests on. */
export interface Judged {
  readonly status: string;
  readonly value: unknown;
  readonly notes: string | null;
}

/** How near the mapped line is on whose other side the value would be another. */
export interface Edge {
  readonly metres: number;
  /** Metres within which the source places its lines. */
  readonly accuracy: number;
  /** The value there; null where the note names none. */
  readonly beyond: string | null;
}

/** What a value decides, with how near the line is. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly edge: Edge | null;
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

/** The limit of a rule on numbers; null for other rules. */
function limitOf({ yes }: VerdictRule): number | null {
  if (typeof yes !== 'object') return null;
  return 'from' in yes ? yes.from : 'under' in yes ? yes.under : null;
}

function isYes({ yes }: VerdictRule, value: unknown): boolean {
  if (yes === true) return value === true;
  if (yes === 'any') return value !== '';
  if ('from' in yes) return Number(value) >= yes.from;
  if ('under' in yes) return Number(value) < yes.under;
  return 'except' in yes ? !yes.except.includes(String(value)) : yes.includes(value as string | number);
}

/** Judges a record by the rule of its field. A line nearer than the source is accurate leaves both sides possible. */
export function verdictOf(rule: VerdictRule, { status, value, notes }: Judged): Verdict {
  if (status !== 'ok' || value === null || value === undefined) return { outcome: 'unknown', edge: null };
  const edge = edgeOf(notes);
  if (rule.open?.includes(value as string | number)) return { outcome: 'unknown', edge };
  const limit = limitOf(rule);
  const near = limit !== null && rule.margin !== undefined && Math.abs(Number(value) - limit) <= rule.margin;
  if (near || (edge !== null && edge.metres <= edge.accuracy)) return { outcome: 'line', edge };
  return { outcome: isYes(rule, value) ? 'yes' : 'no', edge };
}

/** The sentence for an outcome, without a full stop. @param value as it is told. */
export function wordsOf(
  { matter, words }: Pick<VerdictRule, 'matter' | 'words'>,
  outcome: Outcome,
  value: string,
): string {
  switch (outcome) {
    case 'yes':
    case 'no':
      return words[outcome].replaceAll('{value}', value);
    case 'line':
      return `It is too close to call whether ${matter}`;
    case 'unknown':
      return `It is not known here whether ${matter}`;
  }
}
