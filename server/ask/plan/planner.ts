import nlp from 'compromise';
import type { Catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { MAX_PLANNED, type Part, type Plan } from '../backend.ts';
import { withoutForm } from '../reading/form.ts';
import { readSegments } from '../reading/segments.ts';
import { inCatalog, type RankedField, rankEnrichment, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { folded } from '../retrieval/words.ts';
import { isUnitName } from '../units.ts';
import { clausesOf } from './clauses.ts';
import { familyOf, twinOf } from './families.ts';
import { FIT } from './fit.ts';
import { presetOf } from './presets.ts';
import { asksOnlyWhy, reasonsWanted } from './reasons.ts';
import { type ValueKind, valueKindOf } from './value-kinds.ts';

/** Asks for a yes or no about where the place lies: in, on or behind something. */
const WHETHER =
  /^(?:(?:so|and|ok|hey|hi|please|but)\s+)*(?:is|are|am|was|does|do|did|will|can|could|would|might|esta|estan|estoy|queda|se)\b.*\b(?:in|within|inside|on|part of|en|dentro|flood|inunda\w*)\b/i;

/** A ranking as the form of a clause asks for it: a question about a yes or no is answered by one too. */
function inForm(catalog: Catalog, text: string, ranked: readonly RankedField[]): RankedField[] {
  const [best] = ranked;
  if (!best) return [];
  if (!WHETHER.test(folded(text))) return [...ranked];
  const least = FIT.ratio * best.score;
  const isMeant = ({ name, score }: RankedField) =>
    catalog.fields.get(name)?.type === 'boolean' && score >= FIT.whether * best.score;
  return ranked
    .map(one => (isMeant(one) ? { ...one, score: Math.max(one.score, least) } : one))
    .sort((a, b) => b.score - a.score);
}

/** An amount that something is held against: it says nothing of what is asked for. */
const LIMIT = /\b(more than|less than|fewer than|at least|at most|mas de|menos de)\s+\$?[\d.,]*\d/gi;

/** A limit on the size of a lot. */
const AREA_LIMIT =
  /(\b(?:parcel|lot|property|land|site|place|it|this|parcela|lote|terreno)\b.*?)\b(?:is |be )?(?:more than|less than|over|under|at least|at most|bigger than|larger than|smaller than|mas de|menos de)\s+[\d.,]+ ?(?:acres?|hectares?|ac|square feet)\b/i;

/** A unit that an answer is wanted in. */
const IN_UNIT = /\b(?:in|en)\s+((?:square |cubic )?\p{L}+)\b/giu;

/** Says where, not what: fields of enrichment are about parcels by their names alone. */
const THIS_PARCEL = /\b(?:this|my|our|est[ae]|mi|nuestr[oa])\s+(?:parcel|lot|property|plot|parcela|lote|propiedad)\b/gi;

/** Words that ask for a kind of thing and name none. By stem. */
const KINDS_ALONE: ReadonlySet<string> = new Set(['number', 'name', 'type']);

/** A clause without words that no field has and that name nothing: what is not understood of a verb kills no field. */
function withoutIdle(catalog: Catalog, text: string): string {
  const unknown = wordsOf(catalog, text).filter(word => !inCatalog(catalog, word));
  if (unknown.length === 0) return text;
  const things = (nlp(text).match('#Noun').not('(#Pronoun|#Value|#Date)').terms().out('array') as string[]).map(folded);
  const idle = unknown.filter(
    ({ written }) => /^\p{L}+$/u.test(written) && !things.some(thing => thing.startsWith(written)),
  );
  return idle.reduce(
    (left, { written }) => left.replace(new RegExp(`(?<!\\p{L})${written}(?!\\p{L})`, 'giu'), ' '),
    text,
  );
}

/** What a clause asks for: fields of the catalog, and what enrichment alone has where that fits better. */
function partOf(catalog: Catalog, clause: string): { readonly part: Part; readonly ranked: readonly RankedField[] } {
  const said = clause.replace(AREA_LIMIT, '$1 lot size').replace(LIMIT, '$1').replace(THIS_PARCEL, 'here');
  const text = withoutIdle(
    catalog,
    said.replace(IN_UNIT, (all, unit: string) => (isUnitName(unit) ? ' ' : all)),
  );
  const words = wordsOf(catalog, text);
  if (words.length > 0 && words.every(({ stem }) => KINDS_ALONE.has(stem)))
    return { part: { text: clause, fields: [], unknown: [], enrichment: [] }, ranked: [] };
  const kind = valueKindOf(text);
  const ofKind = <F>(fields: ReadonlyMap<string, F & Parameters<ValueKind['is']>[0]>, all: readonly RankedField[]) =>
    kind === null ? all : all.filter(({ name }) => kind.is(fields.get(name)!));
  const ranking = rankFields(catalog, text, 2 * MAX_PLANNED);
  const found = inForm(catalog, text, ofKind(catalog.fields, ranking));
  const unknown = [...new Set(words.filter(word => !inCatalog(catalog, word)).map(word => word.written))];
  const needed = unknown.length > 0 ? FIT.coverageBeside : FIT.coverage;
  // A term of its own in the clause makes a field its answer, whatever else the clause says.
  const isNamed = ({ term }: RankedField) => term >= FIT.term;
  // A field that has one rare word of a clause may come before one that has them all.
  const first = found.findIndex(
    one => (one.coverage >= needed || isNamed(one)) && one.score >= FIT.ratio * found[0]!.score,
  );
  const ranked = found.slice(Math.max(0, first));
  const [best] = ranked;
  const inEnrichment = ofKind(enrichCatalogOf(catalog).fields, rankEnrichment(catalog, text, 2 * MAX_PLANNED));
  const beyond = inEnrichment.find(({ name, coverage }) => !catalog.fields.has(name) && coverage > FIT.beyond);
  const within = inEnrichment.find(({ name }) => catalog.fields.has(name))?.score ?? 0;
  const enrichment = beyond && beyond.score > FIT.more * within ? [beyond.name] : [];
  if (!best || first < 0 || (beyond && beyond.score > FIT.rather * within)) {
    const only = beyond && beyond.coverage > (best?.coverage ?? 0) ? [beyond.name] : enrichment;
    // Fields are about it and give another kind of value.
    const about = ranking.some(({ coverage }) => coverage >= needed);
    const lacking = kind !== null && about ? { lacking: kind.said } : {};
    return { part: { text: clause, fields: [], unknown, ...lacking, enrichment: only }, ranked: [] };
  }
  // What a term names as a whole is meant, not what only has its words.
  const ratio = best.term >= FIT.named ? FIT.namedRatio : FIT.ratio;
  const kept = ranked.filter(
    field => field.score >= ratio * best.score && field.coverage >= FIT.coverage * best.coverage,
  );
  const beside = best.coverage < FIT.whole ? unknown : [];
  return { part: { text: clause, fields: [], unknown: beside, enrichment }, ranked: kept.slice(0, FIT.most) };
}

/** Asks which of the things that other clauses name is more so, and names none. */
const WHICH = /^(?:which|what|cual)\b(?: one)?(?: of \p{L}+(?: two)?)?(?: is|'s| es|)(?: the)?(?: mas)? \p{L}+$/iu;

/** Whether a clause says nothing by itself: how to answer, or which is more so. */
const leadsIn = (catalog: Catalog, text: string): boolean => {
  const words = wordsOf(catalog, text);
  if (words.length === 0) return true;
  const which = WHICH.test(folded(text)) && words.every(({ weight }) => weight < 1);
  return which || words.every(({ stem }) => KINDS_ALONE.has(stem));
};

/** Whether the fields that decide and those that tell why answer a clause: it asks for reasons, or whether it is so. */
const isOfReasons = (clause: string): boolean =>
  asksOnlyWhy(clause) || (WHETHER.test(folded(clause)) && familyOf(folded(clause)).length > 0);

/** What of a question asks; all of it where nothing does. */
function askingIn(catalog: Catalog, question: string): string {
  const segments = readSegments(question);
  const asking = segments.filter(({ manner }) => manner !== 'tells');
  const names = asking.some(({ text }) => wordsOf(catalog, text).some(word => inCatalog(catalog, word)));
  if (!names || asking.length === segments.length) return question;
  return asking.map(({ text }) => text.replace(/[.;,]+$/, '').replace(/(?<![?!])$/, '.')).join(' ');
}

/** Asks where or how many of what was named before. */
const ABOUT_BEFORE =
  /\b(?:how (?:far|close|many)|nearest|closest|distance)\b.*\b(?:they|them|it|that|those|ones?|there)\b|^(?:and )?how far(?: away)?$/i;
/** What a clause asks of a thing that it names. */
const MEASURED = /\b(?:how (?:many|far|much|close)|are there|within\b.*$|who\b \p{L}+|which \p{L}+ \p{L}+)/giu;
/** Asks for a measure of what was named before. */
const OF_BEFORE =
  /^(?:and )?how (?:tall|big|large|high|deep|wide|old|long|far(?: away)?)(?: (?:is|are) (?:it|that|they|those|this))?$/i;

/**
 * Clauses that name nothing by themselves, such as "how far are they", with what was named before; without those where nothing
 * was.
 */
function inContext(
  catalog: Catalog,
  clauses: ReturnType<typeof clausesOf>,
  question: string,
): ReturnType<typeof clausesOf> {
  const wanted: string[] = [];
  const told = readSegments(question).find(({ manner }) => manner === 'tells')?.text;
  let before = told === undefined ? [] : clausesOf(told).wanted;
  for (const clause of clauses.wanted) {
    const words = wordsOf(catalog, clause.replace(LIMIT, '$1'));
    const names = words.some(word => word.weight === 1 && inCatalog(catalog, word));
    if (before.length > 0 && ((!names && ABOUT_BEFORE.test(clause)) || OF_BEFORE.test(clause)))
      wanted.push(...before.map(thing => `${clause} ${thing.replace(MEASURED, ' ')}`));
    else {
      wanted.push(clause);
      before = [clause];
    }
  }
  return { wanted, unwanted: clauses.unwanted };
}

/** Fields that the unwanted clauses are about, with their scores. */
function unwantedScores(catalog: Catalog, clauses: readonly string[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const clause of clauses)
    for (const { name, score } of rankFields(catalog, clause, 4 * MAX_PLANNED))
      scores.set(name, Math.max(score, scores.get(name) ?? 0));
  return scores;
}

/** The first fields of a preset, without those that the question refuses. */
function presetFields(catalog: Catalog, preset: string, refused: ReadonlyMap<string, number>): string[] {
  const limit = FIT.presetUnwanted * Math.max(...refused.values(), 0);
  const names = catalog.presets.get(preset)!.slice(0, MAX_PLANNED);
  return names.filter(name => !refused.has(name) || refused.get(name)! < limit);
}

/**
 * Plans a question from its words: the fields that each clause is about, without those that it refuses, then the fields
 * of a preset that it asks for as a whole, at most 15 together. Pure and place-independent.
 * @param question of any text.
 */
export function planQuestion(catalog: Catalog, question: string): Plan {
  const matter = withoutForm(question);
  const clausesRead = inContext(catalog, clausesOf(askingIn(catalog, matter)), matter);
  // Who refuses everything has not been understood: the whole question is read as it is.
  const { wanted, unwanted } = clausesRead.wanted.length > 0 ? clausesRead : { wanted: [question], unwanted: [] };
  const refused = unwantedScores(catalog, unwanted);
  const isRefused = ({ name, score }: RankedField) => (refused.get(name) ?? 0) >= FIT.unwanted * score;
  const asking = wanted.map(presetOf);
  const preset = asking.find(found => found !== null) ?? presetOf(wanted.join(', '));
  // The clauses that ask for the preset are answered by it; where only all of them together do, none asks for more.
  const besides =
    preset === null || asking.includes(preset) ? wanted.filter((_, i) => asking[i] !== preset || preset === null) : [];
  const telling = besides.filter(text => !leadsIn(catalog, text));
  const whole = wanted.join(', ');
  // The fields that decide come before those that tell why.
  const causes = reasonsWanted(whole);
  const reasons =
    causes.length === 0
      ? []
      : [...new Set([...familyOf(folded(whole)), ...causes])].filter(name => catalog.fields.has(name));
  const valued = (telling.length > 0 ? telling : besides).filter(text => reasons.length === 0 || !isOfReasons(text));
  const clauses = valued.map(text => partOf(catalog, text));
  const taken = new Set<string>();
  const chosen = clauses.map((): string[] => []);
  // Clauses take turns, so that the last question of many is planned too.
  for (let turn = 0; turn < FIT.most; turn++)
    clauses.forEach(({ ranked }, i) => {
      const field = ranked.filter(one => !isRefused(one))[turn];
      if (!field || taken.has(field.name) || taken.size >= MAX_PLANNED) return;
      taken.add(field.name);
      chosen[i]!.push(field.name);
    });
  for (const fields of chosen)
    for (const twin of fields.flatMap(name => twinOf(name) ?? []))
      if (catalog.fields.has(twin) && !taken.has(twin) && taken.size < MAX_PLANNED && !refused.has(twin)) {
        taken.add(twin);
        fields.push(twin);
      }
  const parts = clauses.flatMap(({ part, ranked }, i): Part[] => {
    if (chosen[i]!.length > 0) return [{ ...part, fields: chosen[i]! }];
    // Others have taken its fields, or it refuses them.
    return ranked.length > 0 ? [] : [part];
  });
  const why = reasons.filter(name => !taken.has(name) && !refused.has(name)).slice(0, MAX_PLANNED - taken.size);
  for (const name of why) taken.add(name);
  if (why.length > 0) parts.push({ text: wanted.join(', '), fields: why, unknown: [], enrichment: [] });
  const expanded = preset === null ? [] : presetFields(catalog, preset, refused);
  return { fields: [...new Set([...taken, ...expanded])].slice(0, MAX_PLANNED), preset, parts };
}
