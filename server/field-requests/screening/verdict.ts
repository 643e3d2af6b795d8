import type { Catalog } from '../../../datasets/catalog.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { planQuestion } from '../../ask/plan/planner.ts';
import { inCatalog, type RankedField, rankEnrichment, rankFields, wordsOf } from '../../ask/retrieval/retrieval.ts';
import { isEmpty, rawWords, stemOf } from '../../ask/retrieval/words.ts';
import type { KeptBody } from '../schema.ts';
import { exclusionsOf, type Meant } from './exclusions.ts';
import { type Quantity, quantityIn, quantityOf, radiusOf } from './quantity.ts';
import { abroad, type Refusal, refusalOf } from './refusals.ts';
import type { SubAsk } from './sub-asks.ts';

/** What the catalog says about an ask, before any value is read. */
export type Verdict =
  | { readonly kind: 'answers'; readonly field: Field; readonly why: string }
  | { readonly kind: 'near'; readonly field: Field; readonly why: string }
  | { readonly kind: 'unclear'; readonly candidates: readonly Field[]; readonly why: string }
  | { readonly kind: 'new'; readonly why: string }
  | ({ readonly kind: 'refused' } & Refusal);

/** Thresholds, fitted on bench/requests. A question to the requester is cheap, a wrong match is not. */
const FIT = {
  /** Share of the ask that the field which answers it must cover. */
  whole: 0.97,
  /** Share of the ask that a field must cover which the requester may mean. */
  near: 0.6,
  /** Share of the ask that a field must cover to be considered. */
  seen: 0.3,
  /** Share of the ask's words that a single name of the field must contain. Its description may contain the others. */
  covered: 0.8,
  /** Factor by which the best field must be ahead of the second. Fields that are nearer than that may be meant. */
  ahead: 2,
} as const;

const NOT = /\b(?:not|no|non|without|except|excluding|other than|instead of)\b/i;
const VAGUE =
  /\b(?:everything|anything|all (?:the )?(?:data|information|fields|details))\b|^(?:data|information|details)\b|^(?:names?|kinds?|types?|numbers?|values?|dates?|ages?)$/i;
/** Kinds of values that the name of a thing alone does not ask for. */
const COUNTED: ReadonlySet<Quantity | null> = new Set(['distance', 'count', 'share', 'yes_no']);
const MEANT: Readonly<Record<Quantity, string>> = {
  distance: 'a distance',
  count: 'a count',
  name: 'a name or kind',
  yes_no: 'yes or no',
  share: 'a share',
  area: 'an area',
};

const stems = (text: string): Set<string> =>
  new Set(
    rawWords(text)
      .filter(word => !isEmpty(word))
      .map(stemOf),
  );
const same = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every(word => b.has(word));

/** The names of a field, each as a set of words. */
const namesOf = ({ name, title, terms }: Field): Set<string>[] =>
  [name.replaceAll('_', ' '), title, ...terms].map(stems).filter(words => words.size > 0);

/** Why a field that matches all words is still not the answer; null when it is. */
function mismatch({ subject, radiusM, ask }: SubAsk, field: Field): string | null {
  const quantity = quantityIn(subject);
  const given = quantityOf(field);
  if (quantity !== null && quantity !== given && !(quantity === 'name' && given === null && field.type === 'string'))
    return `you ask for ${MEANT[quantity]}, and it gives ${given === null ? 'another kind of value' : MEANT[given]}`;
  const radius = radiusOf(field);
  if (radiusM !== null && (radius === null || Math.abs(radius - radiusM) > 0.05 * radiusM))
    return radius === null
      ? 'it looks within no radius'
      : `it looks within ${radius} m, and you ask for ${Math.round(radiusM)} m`;
  return NOT.test(ask) ? 'you say what it is not to be' : null;
}

const list = (words: readonly string[]) => words.map(word => `"${word}"`).join(', ');

/** Words of an ask that do not occur in a field's names. */
function missing(catalog: Catalog, { subject }: SubAsk, { matched }: RankedField): string[] {
  const words = wordsOf(catalog, subject).map(({ written }) => written);
  return [...new Set(words)].filter(word => !matched.includes(word));
}

/** The largest share of an ask's words that one name of a field contains. Words from several names do not add up. */
function coveredShare(words: ReadonlySet<string>, field: Field): number {
  const shares = namesOf(field).map(name => [...words].filter(word => name.has(word)).length / Math.max(1, words.size));
  return Math.max(0, ...shares);
}

/** Whether an ask contains a field's title, or a term of several words, and says more about it. */
const namedIn = (words: ReadonlySet<string>, field: Field): boolean =>
  [field.title, ...field.terms]
    .map(stems)
    .some((name, i) => name.size > (i === 0 ? 0 : 1) && [...name].every(word => words.has(word)));

/** Whether an ask is exactly the title or name of a field, not one of its everyday terms. */
const titled = (words: ReadonlySet<string>, { title, name }: Field): boolean =>
  [title, name.replaceAll('_', ' ')].some(text => same(stems(text), words));

/** A ranked field with its definition. */
type Candidate = RankedField & { readonly field: Field };

/** Candidates that a question to the requester names. */
const SHOWN = 3;

/** Those in a unit that the ask names, or all where none is. */
function preferringUnit({ units, unit }: SubAsk, list: readonly Candidate[]): readonly Candidate[] {
  const inUnit = list.filter(({ field }) => field.unit === unit || units.some(one => one === field.unit));
  return inUnit.length > 0 ? inUnit : list;
}

/** Fields that an ask names by every word, and whether by their very title or name, with the unit or without. */
function fittingIn(one: SubAsk, list: readonly Candidate[]) {
  const words = stems(one.subject);
  const withUnit = new Set([...words, ...stems(one.unit)]);
  const named = list.filter(({ field }) => titled(withUnit, field));
  const exact = named.length > 0 ? named : list.filter(({ field }) => titled(words, field));
  // A single word names a subject, not a value.
  const whole = list.filter(
    ({ coverage, field }) => words.size > 1 && coverage >= FIT.whole && coveredShare(words, field) >= FIT.covered,
  );
  const agreeing = (exact.length > 0 ? exact : whole).filter(({ field }) => mismatch(one, field) === null);
  return { fitting: preferringUnit(one, agreeing), exact: exact.length > 0 };
}

/** Fields that an ask may mean where it fits none: the best, and those that it is not far ahead of. */
const closestOf = (list: readonly Candidate[]): readonly Candidate[] =>
  list.filter(({ coverage, score }, i) => coverage >= FIT.near && (i < SHOWN || score * FIT.ahead >= list[0]!.score));

/**
 * Judges one ask by the catalog alone: the planner finds fields, then kind of value, radius and every word of the ask
 * must match. Pure.
 */
export function judgeAsk(catalog: Catalog, one: SubAsk, body: KeptBody, meant: Meant): Verdict {
  const refusal = abroad(body) ?? refusalOf(one.ask);
  const excludedBy = exclusionsOf(catalog, body, meant);
  const { accepted } = meant;
  const { fields: planned, preset } = planQuestion(catalog, one.subject);
  const all: readonly Candidate[] = rankFields(catalog, one.subject, 40)
    .filter(({ name, coverage }) => planned.includes(name) || coverage >= FIT.seen)
    .map(found => ({ ...found, field: catalog.fields.get(found.name)! }));
  const isLeft = ({ field }: Candidate) => excludedBy(field) === null;
  const ranked = all.filter(isLeft);
  const words = stems(one.subject);
  const { fitting, exact } = fittingIn(one, ranked);
  // A thing without a quantity may mean how far, how many or which.
  const open = !exact && quantityIn(one.subject) === null;
  const [first, second] = open ? fitting.filter(({ field }) => !COUNTED.has(quantityOf(field))) : fitting;
  if (refusal && !(first && refusal.code === 'other_endpoint')) return { kind: 'refused', ...refusal };
  const substitute = ranked.find(({ name, coverage }) => accepted.has(name) && coverage >= 0.3);
  const answers = (field: Field, why: string): Verdict => ({ kind: 'answers', field, why });
  const unclear = (why: string, candidates: readonly Candidate[]): Verdict => ({
    kind: 'unclear',
    why,
    candidates: candidates.slice(0, SHOWN).map(({ field }) => field),
  });
  const excluded = (fields: readonly Field[]): Verdict => {
    const parts = [...new Set(fields.map(field => excludedBy(field)!))];
    const names = fields.slice(0, SHOWN).map(({ name, title }) => `${name} (${title})`);
    return {
      kind: 'new',
      why: `What the catalog has of it is excluded by ${parts.join(' and ')}: ${names.join(', ')}`,
    };
  };
  // What the requester excludes, or a unit that only one has, leads out of a question.
  const oneOf = (why: string, several: readonly Candidate[]): Verdict => {
    const inUnit = preferringUnit(one, several).filter(isLeft);
    const left = inUnit.length > 0 ? inUnit : several.filter(isLeft);
    if (several.length > 1 && left.length === 1) return { kind: 'near', field: left[0]!.field, why };
    if (several.length > 0 && left.length === 0) return excluded(several.map(({ field }) => field));
    return unclear(why, left.length > 0 ? left : ranked);
  };
  if (words.size === 0 || VAGUE.test(one.subject)) return unclear('it does not say what is looked for', ranked);
  if (first && (!second || first.score >= FIT.ahead * second.score))
    return answers(first.field, `${first.name} (${first.field.title}) is what you ask for`);
  if (substitute)
    return answers(substitute.field, `${substitute.name} (${substitute.field.title}) would do, as you say`);
  const everyFitting = fittingIn(one, all).fitting;
  if (fitting.length > 0)
    return oneOf('several things may be meant', everyFitting.length > 1 ? everyFitting : closestOf(all));
  // A subject that many fields describe together.
  if (preset !== null && all.length > 0) return oneOf(`it names a matter of many fields (${preset})`, closestOf(all));
  if (words.size === 1 && all.some(({ coverage }) => coverage >= FIT.near))
    return oneOf('one word names no value', closestOf(all));
  const near = ({ coverage, field }: Candidate) => coverage >= FIT.near || namedIn(words, field);
  const gone = all.filter(candidate => !isLeft(candidate) && near(candidate));
  // A field that only describes itself with the words is no alternative to those that a requester excludes.
  const best = ranked.find(
    candidate => near(candidate) && (gone.length === 0 || coveredShare(words, candidate.field) > 0),
  );
  if (best) {
    const without = missing(catalog, one, best);
    const odds = mismatch(one, best.field);
    const lacks = without.length > 0 ? `it is not known by ${list(without)}` : null;
    const why = [odds, lacks].filter(reason => reason !== null).join('; ') || 'it says so only in passing';
    return { kind: 'near', field: best.field, why };
  }
  if (gone.length > 0) return excluded(gone.map(({ field }) => field));
  const [enrichment] = rankEnrichment(catalog, one.subject, 1);
  if (enrichment && enrichment.coverage >= FIT.whole && !catalog.fields.has(enrichment.name))
    return {
      kind: 'refused',
      code: 'other_endpoint',
      explanation: `${enrichment.name} is a field of enrichment, which answers it for parcels.`,
      suggestion: `POST /v1/enrich with fields ["${enrichment.name}"].`,
    };
  const unknown = wordsOf(catalog, one.subject).filter(word => !inCatalog(catalog, word));
  const about =
    unknown.length > 0
      ? `no field knows ${list([...new Set(unknown.map(({ written }) => written))])}`
      : 'no field has it';
  return { kind: 'new', why: `The catalog does not have it: ${about}` };
}
