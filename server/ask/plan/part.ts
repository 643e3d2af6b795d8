import nlp from 'compromise';
import type { Catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { MAX_PLANNED, type Part } from '../backend.ts';
import { inDigits, type Limit, limitIn } from '../reading/limit.ts';
import { ofSourceIn } from '../reading/provenance.ts';
import { inCatalog, matterIn, type RankedField, rankEnrichment, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { areKinds, areMeasures, folded, rawWords, saysNoMatter, type Word } from '../retrieval/words.ts';
import { isUnitName, measureTheSame, unitsIn } from '../units.ts';
import { standInsFor, twinOf } from './families.ts';
import { FIT } from './fit.ts';
import { strayFocus } from './focus.ts';
import { canMean } from './perils.ts';
import { onlyQualifies, thingsIn } from './things.ts';
import { isOfLength, type ValueKind, valueKindOf } from './value-kinds.ts';

/** Asks for a yes or no about where the place lies: in, on or behind something. */
export const WHETHER =
  /^(?:(?:so|and|ok|hey|hi|please|but)\s+)*(?:is|are|am|was|does|do|did|will|can|could|would|might|esta|estan|estoy|queda|se)\b.*\b(?:in|within|inside|on|part of|en|dentro|flood|inunda\w*)\b/i;

/** A limit on the size of a lot. */
const AREA_LIMIT =
  /(\b(?:parcel|lot|property|land|site|place|it|this|parcela|lote|terreno)\b.*?)\b(?:is |be )?(?:(?:more|less|bigger|larger|smaller) than|over|under|at least|at most)\s+[\d.,]+ ?(?:acres?|hectares?|ac|square feet)\b/i;

/** A unit that an answer is wanted in. */
const IN_UNIT = /\b(?:in|en)\s+((?:square |cubic )?\p{L}+)\b/giu;

/** A span of time up to today, within which something is asked for. */
const SPAN =
  /\b(?:in|within|over|during|for|en) (?:the |los |las )?(?:last|past|recent|ultimos|últimos) (?:\d+ )?(?:years?|decades?|anos|años)\b/giu;

/** An amount of money. */
const AMOUNT = /\$\s?\d[\d,.]*|\b\d[\d,.]* (?:dollars|bucks|usd)\b/i;

/** Asks which one a thing is: what lake is that. */
const OF_NAME =
  /\b(?:what|which) (lake|pond|river|creek|stream|brook|road|street|highway|railroad|school|park|preserve|refuge|town) (?:is|was) (?:that|this|it)\b/giu;

/** Says where, not what: fields of enrichment are about parcels by their names alone. */
const THIS_PARCEL =
  /\b(?:this|my|our|est[ae]|mi|nuestr[oa])\s+(?:parcel|lot|property|plot|parcela|lote|propiedad)\b(?! (?:tax|line|boundar|corner|edge))/gi;

/**
 * What is said beside the matter of a clause: what it is for, what stands there, whose it is, what somebody does with it. What such
 * words name is not asked for.
 */
const BESIDE: readonly RegExp[] = [
  /\b(?:for|beside|behind|past|with|around|from|by|under|against|per) (?:an?|the|my|our|your|their|his|her|all|some|any)?\b.*$/iu,
  /\b(?:of|at|to|on|in) (?:my|our|your|their|his|her)\b.*$/iu,
  /(?<!\b(?:how|close|distance|far|near|next|miles|feet) )\bto (?!the\b|an?\b|my\b|our\b|any\b|it\b|this\b|here\b|be\b)\p{L}{2,}\b.*$/iu,
  /(?<=^(?:and |so )?(?:which|what) \p{L}+(?: \p{L}+)? )(?:do|does|did|would|will|should|can|could|am|are) (?:the|my|our|i|we|you|they|he|she|it)\b.*$/iu,
];

/** Words of a clause that stand only in what is said beside its matter. */
function besideIn(text: string, unknown: readonly string[]): string[] {
  return unknown.filter(word =>
    BESIDE.some(pattern => {
      const said = pattern.exec(text);
      return said !== null && said.index > 0 && folded(text).indexOf(word) >= said.index;
    }),
  );
}

/**
 * A clause without words that no field has and that name nothing, as long as others say what it is about: what is not understood of
 * a verb, an adverb or an adjective before a noun kills no field.
 */
function withoutIdle(catalog: Catalog, text: string): string {
  const words = wordsOf(catalog, text);
  const unknown = words.filter(word => !inCatalog(catalog, word));
  if (unknown.length === 0 || saysNoMatter(words.filter(word => !unknown.includes(word)))) return text;
  const tagged = nlp(text);
  const nothing = [tagged.match('(#Verb|#Adverb)').not('#Noun'), tagged.match('[#Adjective+] #Noun', 0)]
    .flatMap(match => match.terms().out('array') as string[])
    .map(folded);
  const beside = besideIn(
    text,
    unknown.map(({ written }) => written),
  );
  const idle = unknown.filter(
    ({ written }) =>
      /^\p{L}+$/u.test(written) && (beside.includes(written) || nothing.some(one => one.startsWith(written))),
  );
  return idle.reduce(
    (left, { written }) => left.replace(new RegExp(`(?<!\\p{L})${written}(?!\\p{L})`, 'giu'), ' '),
    text,
  );
}

/** Asks whether a thing has a quality, which stands at the end. */
const WHETHER_SO = /^(?:is|are|was|were) (?:the|this|that|my|our|it|they)\b(?: \p{L}+){1,4}$/iu;

/** The quality that a yes-or-no question ends with, as looked up; null for none. */
function qualityOf(catalog: Catalog, clause: string): Word | null {
  const text = clause.replace(/[?!.\s]+$/, '');
  if (!WHETHER_SO.test(text)) return null;
  const last = folded(text).split(/\s+/).at(-1)!;
  return nlp(text).terms().last().has('#Adjective') ? (wordsOf(catalog, last)[0] ?? null) : null;
}

/** The fields of a ranking that have a quality, where any has: whether a town is safe is not told by who lives in it. */
function ofQuality(ranked: readonly RankedField[], quality: Word | null): readonly RankedField[] {
  // What only measures goes with every matter.
  if (quality === null || quality.weight < 1) return ranked;
  const able = ranked.filter(({ matched }) => matched.includes(quality.written));
  return able.length > 0 ? able : ranked;
}

/** A field whose name has the number of a limit, such as the days above 90 degrees. */
const isCalledBy = (catalog: Catalog, field: RankedField | undefined, { value }: Limit): boolean =>
  field !== undefined && rawWords(catalog.fields.get(field.name)!.title).includes(String(value));

/** The limit of a clause; null also where a field is called by it. */
export function limitOf(catalog: Catalog, clause: string): Limit | null {
  const limit = limitIn(clause);
  return limit === null || isCalledBy(catalog, rankFields(catalog, inDigits(clause), 1)[0], limit) ? null : limit;
}

/** What of a clause is searched for: without what its value is held against, and how it is told. */
function matterOf(catalog: Catalog, clause: string, limit: Limit | null): string {
  const written = inDigits(clause);
  const ofLot = written.replace(AREA_LIMIT, '$1 lot size');
  const free = ofLot !== written || limit === null ? ofLot : inDigits(limit.rest);
  return withoutIdle(
    catalog,
    free
      .replace(AMOUNT, ' price ')
      .replace(OF_NAME, '$& $1 name')
      .replace(SPAN, ' ')
      .replace(THIS_PARCEL, 'here')
      .replace(IN_UNIT, (all, unit: string) => (isUnitName(unit) ? ' ' : all)),
  );
}

/** Numbers that a field is called by, such as its least voltage. */
const numbersOf = (name: string, catalog: Catalog): string[] =>
  rawWords(catalog.fields.get(name)?.title ?? '').filter(word => /^\d+$/.test(word));

/** Asks for the size of a thing, or for the largest of many, and the fields that tell it. */
const MOST = /\b(?:how (?:large|big)|largest|biggest|strongest|worst|size|mas (?:grande|fuerte))\b/i;
const OF_MOST = /_max_(?!download|upload|temperature)|_size_|_area_m2$|_capacity_mw$/;

/** A ranking as a clause asks for it: fields in its unit, and of what was said before, rise. */
function inForm(
  catalog: Catalog,
  clause: string,
  limit: Limit | null,
  ranked: readonly RankedField[],
  before: ReadonlyMap<string, number>,
): RankedField[] {
  const units = [...unitsIn(clause), ...(limit?.unit ? [limit.unit] : [])];
  const said = new Set(rawWords(inDigits(clause)));
  const asksForMost = MOST.test(clause);
  // A limit is no part of a name: what is under 5 percent is the slope.
  const isNamed = ({ term }: RankedField) => limit === null && term >= FIT.named;
  const fitting = ranked
    .map(one => {
      const { unit = null } = catalog.fields.get(one.name) ?? {};
      const measured =
        (unit?.startsWith('USD') === true && AMOUNT.test(clause)) ||
        units.some(named => measureTheSame(named, unit === 'probability' ? 'fraction' : unit));
      const numbers = numbersOf(one.name, catalog);
      const numbered = numbers.some(number => !said.has(number));
      return {
        ...one,
        score:
          one.score *
          (numbered ? FIT.numbered : numbers.length > 0 ? FIT.called : 1) *
          (measured ? FIT.measured : 1) *
          (asksForMost && OF_MOST.test(one.name) ? FIT.largest : 1) *
          (1 + FIT.context * (before.get(one.name) ?? 0)),
      };
    })
    // What a term names as a whole comes first: "how high above sea level" is not how far the sea may rise.
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || b.score - a.score);
  const [best] = fitting;
  // What is held against a number with a unit is measured in it.
  const isHeld = ({ name, score }: RankedField) =>
    limit?.unit != null &&
    score >= FIT.whether * best!.score &&
    measureTheSame(limit.unit, catalog.fields.get(name)?.unit ?? null);
  const held = best ? fitting.filter(isHeld) : [];
  if (held.length > 0 && !isHeld(best!))
    return [
      ...held.map(one => ({ ...one, score: Math.max(one.score, best!.score) })),
      ...fitting.filter(one => !held.includes(one)),
    ];
  if (!best || limit !== null || !WHETHER.test(folded(clause))) return fitting;
  // A question about a yes or no is answered by one too.
  const least = FIT.ratio * best.score;
  const isMeant = ({ name, score }: RankedField) =>
    catalog.fields.get(name)?.type === 'boolean' && score >= FIT.whether * best.score;
  return fitting
    .map(one => (isMeant(one) ? { ...one, score: Math.max(one.score, least) } : one))
    .sort((a, b) => b.score - a.score);
}

/** Whether a field gives the date of a map or the like that a clause names. */
const isDated = (catalog: Catalog, clause: string): boolean =>
  rankFields(catalog, clause, FIT.most).some(
    ({ name, coverage }) => catalog.fields.get(name)?.type === 'date' && coverage >= FIT.coverage,
  );

/** What a clause asks for: fields of the catalog, best first, and what enrichment alone has where that fits better. */
export interface ReadPart {
  readonly part: Part;
  readonly ranked: readonly RankedField[];
  /** How much each field is about the clause, from 0 to 1: what comes after it may mean the same matter. */
  readonly about: ReadonlyMap<string, number>;
}

/** How much each field is about a text, from 0 to 1. */
export function aboutOf(ranking: readonly RankedField[]): ReadonlyMap<string, number> {
  const best = ranking[0]?.score ?? 1;
  return new Map(ranking.map(({ name, score, coverage }) => [name, (coverage * score) / best]));
}

/**
 * Fields of which those come first that the release can answer. Where the best one is not among them it stays, so that the answer says
 * so, and what may stand for it follows where nothing else is about the clause.
 */
function inRelease(kept: readonly RankedField[], lacking: ReadonlySet<string>): RankedField[] {
  const [best] = kept;
  const able = kept.filter(({ name }) => !lacking.has(name));
  if (!best || !lacking.has(best.name) || able.some(({ name }) => name === twinOf(best.name))) return able;
  const standing = able.length > 0 ? [] : standInsFor(best.name).filter(name => !lacking.has(name));
  return [best, ...able, ...standing.map(name => ({ ...best, name }))];
}

/**
 * What a clause asks for.
 * @param before how much each field is about what was said before the clause.
 * @param lacking fields that the release cannot answer.
 */
export function readPart(
  catalog: Catalog,
  clause: string,
  before: ReadonlyMap<string, number>,
  lacking: ReadonlySet<string>,
): ReadPart {
  const limit = limitOf(catalog, clause);
  const ofData = ofSourceIn(folded(clause));
  // A field tells of the date by itself, such as that of the flood map.
  const ofSource = ofData?.kind === 'vintage' && isDated(catalog, clause) ? null : ofData;
  const text = matterOf(catalog, ofSource?.rest ?? clause, limit);
  const slots = {
    text: clause,
    ...(limit === null ? {} : { limit }),
    ...(ofSource === null ? {} : { ofSource: [ofSource.kind] }),
  };
  const words = wordsOf(catalog, text);
  const nothing = { ranked: [], about: before };
  const kind = valueKindOf(ofSource?.rest ?? clause);
  const ofKind = <F>(fields: ReadonlyMap<string, F & Parameters<ValueKind['is']>[0]>, all: readonly RankedField[]) =>
    kind === null ? all : all.filter(({ name }) => kind.is(fields.get(name)!));
  const ranking = rankFields(catalog, text, 2 * MAX_PLANNED).filter(
    one => canMean(catalog, text, one) && isOfLength(catalog.fields.get(one.name)!, clause),
  );
  const quality = qualityOf(catalog, clause);
  const found = inForm(catalog, clause, limit, ofQuality(ofKind(catalog.fields, ranking), quality), before);
  const unknown = [...new Set(words.filter(word => !inCatalog(catalog, word)).map(word => word.written))];
  // A single word that only stands in a longer term names no field.
  const needed = words.length === 1 ? FIT.alone : unknown.length > 0 ? FIT.coverageBeside : FIT.coverage;
  // So does one beside words that only measure.
  const isPart = ({ term }: RankedField) => term === 0 && words.filter(({ weight }) => weight === 1).length === 1;
  // What only measures names a field by a term of its own, or of what was said before.
  const isVague = areMeasures(words);
  // A term of its own in the clause makes a field its answer, unless the clause is about other things.
  const told = thingsIn(text, words);
  const isNamed = ({ term, matched }: RankedField) =>
    term >= (told.things.filter(word => !matched.includes(word)).length < FIT.things ? FIT.term : FIT.termBeside) &&
    !areKinds(words) &&
    !words.some(({ stem }) => stem.includes('_')) &&
    !onlyQualifies(told, words, matched);
  // A field that has one rare word of a clause may come before one that has them all.
  const first = found.findIndex(
    one =>
      (isNamed(one) ||
        (one.coverage >= (isPart(one) ? Math.max(needed, FIT.partOfTerm) : needed) &&
          (!isVague || (before.get(one.name) ?? 0) >= FIT.coverage))) &&
      one.score >= FIT.ratio * found[0]!.score,
  );
  const ranked = found.slice(Math.max(0, first));
  const [best] = ranked;
  const inEnrichment = ofKind(enrichCatalogOf(catalog).fields, rankEnrichment(catalog, text, 2 * MAX_PLANNED));
  const beyond = inEnrichment.find(({ name, coverage }) => !catalog.fields.has(name) && coverage > FIT.beyond);
  const within = inEnrichment.find(({ name }) => catalog.fields.has(name))?.score ?? 0;
  const enrichment = beyond && beyond.score > FIT.more * within ? [beyond.name] : [];
  const matter = matterIn(catalog, inDigits(clause));
  const isMatter =
    matter !== null &&
    (matter.share >= FIT.foreign ||
      (matter.isForeign && matter.term >= FIT.foreignTerm) ||
      // The longest term that a clause has as a whole is what it means: a heat pump is no heat.
      (kind === null && matter.share >= FIT.longer && matter.words > 1 && matter.term > (found[0]?.term ?? 0)));
  const foreign =
    (isMatter ? matter.written : null) ??
    (quality !== null && unknown.at(-1) === quality.written ? quality.written : null);
  if (foreign !== null) {
    const others = unknown.filter(word => !foreign.split(' ').includes(word));
    unknown.splice(0, unknown.length, foreign, ...others);
  }
  const meant = best ? ranked.filter(({ score }) => score >= FIT.ratio * best.score).slice(0, FIT.most) : [];
  const strays =
    best && foreign === null
      ? strayFocus(text, words, new Set(meant.flatMap(one => one.matched)), catalog.fields.get(best.name)!)
      : [];
  // Of a thing that other fields tell of it would be false to say that no data does.
  const ofFields = new Set(ranking.flatMap(one => one.matched));
  for (const stray of strays) if (!ofFields.has(stray) && !unknown.includes(stray)) unknown.push(stray);
  if (
    !best ||
    first < 0 ||
    foreign !== null ||
    strays.length > 0 ||
    (beyond && beyond.score > FIT.rather * within && beyond.coverage > best.coverage)
  ) {
    const only = beyond && beyond.coverage > (best?.coverage ?? 0) ? [beyond.name] : enrichment;
    // Fields are about it and give another kind of value.
    const about = ranking.some(({ coverage }) => coverage >= FIT.coverage);
    const lacking = kind !== null && about ? { lacking: kind.said } : {};
    return { part: { ...slots, fields: [], unknown, ...lacking, enrichment: only }, ...nothing };
  }
  // What a term names as a whole is meant, not what only has its words.
  const ratio = best.term >= FIT.named ? FIT.namedRatio : FIT.ratio;
  const kept = ranked.filter(
    field =>
      (field.term > 0 || field.score >= FIT.untermed * best.score) &&
      field.score >= ratio * best.score &&
      field.coverage >= FIT.coverage * best.coverage,
  );
  const beside = best.coverage < FIT.whole ? unknown : [];
  return {
    part: { ...slots, fields: [], unknown: beside, enrichment },
    ranked: inRelease(kept, lacking).slice(0, FIT.most),
    about: aboutOf(ranking),
  };
}
