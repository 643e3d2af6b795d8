import type { Catalog } from '../../../datasets/catalog.ts';
import { MAX_PLANNED, type Part, type Plan } from '../backend.ts';
import { withoutForm } from '../reading/form.ts';
import { ofSourceIn } from '../reading/provenance.ts';
import { REPORTER, readSegments, type Segment } from '../reading/segments.ts';
import { inCatalog, type RankedField, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { areKinds, areMeasures, folded } from '../retrieval/words.ts';
import { inAlternatives } from './alternatives.ts';
import { clausesOf } from './clauses.ts';
import { closedBy, familyOf, nearestTwinOf, twinOf } from './families.ts';
import { FIT } from './fit.ts';
import { aboutOf, limitOf, type ReadPart, readPart, WHETHER } from './part.ts';
import { presetOf } from './presets.ts';
import { asksOnlyWhy, reasonsWanted } from './reasons.ts';
import { referred, refers } from './reference.ts';
import { valueKindOf } from './value-kinds.ts';
import { namedByAll } from './whole.ts';

/** Asks which of the things that other clauses name is more so, and names none. */
const WHICH = /^(?:which|what|cual)\b(?: one)?(?: of \p{L}+(?: two)?)?(?: is|'s| es|)(?: the)?(?: mas)? \p{L}+$/iu;

/** Whether a clause says nothing by itself: how to answer, or which is more so. */
const leadsIn = (catalog: Catalog, clause: string): boolean => {
  const text = limitOf(catalog, clause)?.rest ?? clause;
  const words = wordsOf(catalog, text);
  return (
    areKinds(words) || (areMeasures(words) && (WHICH.test(folded(text)) || rankFields(catalog, text, 1)[0]?.term !== 1))
  );
};

/** Whether the fields that decide and those that tell why answer a clause: it asks for reasons, or whether it is so. */
const isOfReasons = (clause: string): boolean =>
  asksOnlyWhy(clause) || (WHETHER.test(folded(clause)) && familyOf(folded(clause)).length > 0);

/** Supposes what is not of the asker, such as a storm: what follows asks of that. */
const SUPPOSED = /^(?:and |but |so )?(?:if|should) (?!i\b|we\b|you\b|my\b|our\b|it\b|that\b|this\b|there\b)/i;

/** A segment with what the one before it in its sentence supposes. */
function withCondition(segment: Segment, before: Segment | undefined): string {
  const text = segment.text.replace(/[.;,]+$/, '').replace(/(?<![?!])$/, '.');
  const supposes = before?.sentence === segment.sentence && before.manner !== 'asks' && SUPPOSED.test(before.text);
  return supposes ? text.replace(/([?!.])$/, ` ${before.text.replace(/[,;]+$/, '')}$1`) : text;
}

/** What of a question asks; all of it where nothing does. */
function askingIn(catalog: Catalog, question: string, segments: readonly Segment[]): string {
  const asking = segments.filter(({ manner }) => manner !== 'tells');
  const names = asking.some(({ text }) => wordsOf(catalog, text).some(word => inCatalog(catalog, word)));
  if (!names || asking.length === segments.length) return question;
  return asking.map(segment => withCondition(segment, segments[segments.indexOf(segment) - 1])).join(' ');
}

/** What a question tells about its asker, of which its clauses may speak. */
const toldIn = (segments: readonly Segment[]): string =>
  segments
    .filter(({ manner }) => manner !== 'asks')
    .map(({ text }) => text)
    .join(' ');

/** Asks which of some things is nearer: of each its distance is asked. */
const NEARER = /\b(?:closer|nearer|farther|farthest|further|(?:closest|nearest) of|mas (?:cerca|lejos))\b/;
/** Says itself that a distance is asked. */
const FAR = /\b(?:how (?:far|close|near)|distance|nearest|closest|lejos|distancia)\b/;

/** The field of the thing that a question tells of before it asks; null for none. */
function toldThing(catalog: Catalog, segments: readonly Segment[]): string | null {
  const [best] = segments
    .filter(({ manner }) => manner === 'tells')
    .flatMap(({ text }) => rankFields(catalog, text, FIT.most))
    .filter(({ term }) => term >= FIT.term);
  return best?.name ?? null;
}

/** Asks where or how many of what was named before. */
const ABOUT_BEFORE =
  /\b(?:how (?:far|close|many)|nearest|closest|distance)\b.*\b(?:they|them|it|that|those|ones?|there)\b|^(?:and )?how far(?: away)?$/i;
/** What a clause asks of a thing that it names. */
const MEASURED = /\b(?:how (?:many|far|much|close)|are there|within\b.*$|who\b \p{L}+|which \p{L}+ \p{L}+)/giu;
/** Asks for a measure of what was named before. */
const OF_BEFORE =
  /^(?:and )?how (?:tall|big|large|high|deep|wide|old|long|far(?: away)?)(?: (?:is|are) (?:it|that|they|those|this))?$/i;

/** Asks whether what was told before is so. */
const IS_SO =
  /\b(?:is|are|was) (?:that|this|it|he|she|they) (?:really )?(?:true|right|so|correct|real|a (?:problem|concern|risk|worry))\b|\bis (?:either|any(?: of (?:it|that|this))?) (?:true|right|so|correct)\b|\b(?:do|does|would|will) (?:i|we|it|this) (?:pass|qualify|comply)\b|\bshould (?:i|we) (?:worry|be worried)\b|\b(?:trouble|problems?|issues?) with (?:that|it)\b/i;

/** Asks for the price of what was named before, and what of that asks for its time. */
const HOW_MUCH =
  /^(?:and )?(?:for |at |en |por |a )?(?:how much|what price|cuanto|que precio|(?:how much|what) (?:do|does|would|will) (?:it|they) (?:charge|cost)(?: me| us)?)$/;
const TIMED = /\b(?:when|what year|cu[aá]ndo)\b/giu;

/**
 * Clauses that name nothing by themselves, such as "how far are they", with what was named before; without those where nothing
 * was.
 */
function inContext(
  catalog: Catalog,
  clauses: ReturnType<typeof clausesOf>,
  segments: readonly Segment[],
): ReturnType<typeof clausesOf> {
  const wanted: string[] = [];
  const told = segments.find(({ manner }) => manner === 'tells')?.text;
  const named = (text: string) => wordsOf(catalog, text).some(word => word.weight === 1 && inCatalog(catalog, word));
  let before = told === undefined ? [] : clausesOf(told.replace(REPORTER, '')).wanted.filter(named);
  for (const written of clauses.wanted) {
    const clause = written.replace(REPORTER, '');
    const limit = limitOf(catalog, clause);
    const words = wordsOf(catalog, limit?.rest ?? clause);
    const names = words.some(word => word.weight === 1 && /^\p{L}/u.test(word.stem) && inCatalog(catalog, word));
    // What is only a limit belongs to what it limits.
    if (limit !== null && areMeasures(words) && wanted.length > 0) {
      wanted[wanted.length - 1] += `, ${clause}`;
      continue;
    }
    if (before.length > 0 && HOW_MUCH.test(folded(clause)))
      wanted.push(...before.map(thing => `price ${thing.replace(MEASURED, ' ').replace(TIMED, ' ')}`));
    else if (wanted.length === 0 && before.length > 0 && IS_SO.test(clause)) wanted.push(...before);
    else if (
      wanted.length === 0 &&
      before.length > 0 &&
      ((!names && ABOUT_BEFORE.test(clause)) || OF_BEFORE.test(clause))
    )
      wanted.push(...before.map(thing => `${clause} ${thing.replace(MEASURED, ' ')}`));
    else {
      wanted.push(clause);
      before = [clause];
    }
  }
  return { wanted, unwanted: clauses.unwanted };
}

/** Stands for each of the things that were named before. */
const EACH =
  /\b(?:for |of |from |about |in )?(?:each|every one|all of (?:them|these|those)|both(?: of (?:them|these|those))?)(?: of (?:them|these|those|the two))?\b(?! (?:of|the|\p{L}+s\b))/iu;
/** What somebody says of himself before he names a thing. */
const LEADS_TO = /^.*\b(?:about|of|from|with|by|hates?|fears?|needs?|wants?) (?=\p{L})/iu;
/** Most things that are asked of one by one. */
const MOST_THINGS = 4;

/**
 * Clauses in which what is asked of each of some things, named before, is asked of one after the other: "the risk and the loss for
 * each". What stands before it without a thing of its own is asked of each too.
 */
function ofEach(catalog: Catalog, clauses: readonly string[], segments: readonly Segment[]): string[] {
  const at = clauses.findIndex(text => EACH.test(text));
  if (at < 0) return [...clauses];
  const told = segments.filter(({ manner }) => manner === 'tells').flatMap(({ text }) => clausesOf(text).wanted);
  const names = (text: string) => wordsOf(catalog, text).some(word => word.weight === 1 && inCatalog(catalog, word));
  const ofTold = told.filter(names);
  const turns = ofTold.length > 1 ? clauses.slice(0, at + 1) : clauses.slice(at, at + 1);
  const things = (ofTold.length > 1 ? ofTold : clauses.slice(0, at).filter(names)).slice(0, MOST_THINGS);
  if (things.length < 2) return [...clauses];
  const bare = things.map(thing => thing.replace(LEADS_TO, '').replace(MEASURED, ' ').trim());
  const each = turns.flatMap(text =>
    bare.map(thing => (EACH.test(text) ? text.replace(EACH, ` ${thing} `) : `${text} ${thing}`).replace(/\s+/g, ' ')),
  );
  return [...clauses.slice(0, at + 1 - turns.length), ...each, ...clauses.slice(at + 1)];
}

/** Names an area and nothing else of it. */
const AREA_ALONE =
  /^(?:of |for |in |against )?(?:the |its )?(county|tract|neighborhood|metro)(?: (?:as a whole|average|overall))?$/i;
/** An area in a clause, with what leads to it. */
const AREA =
  /\b(?:(?:of|for|in) )?(?:the |this |its )?(?:county|tract|neighborhood|metro|area)\b|\b(?:around )?here\b/i;

/** Clauses in which an area alone, as in "compared with the county", asks of that area what the clause before it asks. */
const withAreas = (clauses: readonly string[]): string[] =>
  clauses.map((clause, i) => {
    const area = AREA_ALONE.exec(clause)?.[1];
    const before = clauses[i - 1];
    if (area === undefined || before === undefined || AREA_ALONE.test(before) || !AREA.test(before)) return clause;
    return before.replace(AREA, `of the ${area}`);
  });

/** The field that a clause calls by its whole name or title; null for none. */
function calledBy(catalog: Catalog, clause: string): string | null {
  const text = folded(clause)
    .replace(/[\s_]+/g, ' ')
    .trim();
  const called = [...catalog.fields.values()].find(
    ({ name, title }) => name.replaceAll('_', ' ') === text || folded(title) === text,
  );
  return called?.name ?? null;
}

/** Whether a part is about a thing that no field knows, and not about the place. */
const isOfOtherThing = ({ text, fields, unknown }: Part): boolean =>
  fields.length === 0 &&
  unknown.length > 0 &&
  !/\b(?:it|here|there|this|that|place|lot|land|house|home|property|parcel|site)\b/i.test(text);

/** Whether a clause asks of what was named before and names nothing itself. */
const isOfIt = (catalog: Catalog, clause: string): boolean =>
  /\b(?:it|its|they|their|them)\b/i.test(clause) && wordsOf(catalog, clause).every(({ weight }) => weight < 1);

/** A part whose fields are those of a thing that was named before. */
const ofThing = ({ part: { text }, about }: ReadPart, names: readonly string[]): ReadPart => ({
  part: { text, fields: [], unknown: [], enrichment: [] },
  ranked: names.map(name => ({ name, score: 1, coverage: 1, term: 1, matched: [] })),
  about,
});

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
 * @param lacking fields that the release cannot answer: others are preferred to them.
 */
export function planQuestion(catalog: Catalog, question: string, lacking: ReadonlySet<string> = new Set()): Plan {
  const matter = withoutForm(question, name => catalog.fields.has(name));
  const segments = readSegments(matter);
  const clausesRead = inContext(catalog, clausesOf(askingIn(catalog, matter, segments)), segments);
  // Who refuses everything has not been understood: the whole question is read as it is.
  const { wanted: read, unwanted } = clausesRead.wanted.length > 0 ? clausesRead : { wanted: [question], unwanted: [] };
  const wanted = ofEach(catalog, withAreas(read), segments).flatMap(clause => inAlternatives(catalog, clause));
  const refused = unwantedScores(catalog, unwanted);
  const isRefused = ({ name, score }: RankedField) => (refused.get(name) ?? 0) >= FIT.unwanted * score;
  const asking = wanted.map(presetOf);
  const preset = asking.find(found => found !== null) ?? presetOf(wanted.join(', '));
  // The clauses that ask for the preset are answered by it; where only all of them together do, none asks for more.
  const besides =
    preset === null || asking.includes(preset) ? wanted.filter((_, i) => asking[i] !== preset || preset === null) : [];
  const told = toldThing(catalog, segments);
  const telling = besides.filter(
    (text, i) =>
      ((i > 0 || told !== null) && refers(catalog, text)) ||
      calledBy(catalog, text) !== null ||
      !leadsIn(catalog, text),
  );
  const whole = wanted.join(', ');
  // The fields that decide come before those that tell why.
  const causes = reasonsWanted(whole);
  const reasons =
    causes.length === 0
      ? []
      : [...new Set([...familyOf(folded(whole)), ...causes])].filter(name => catalog.fields.has(name));
  const valued = (telling.length > 0 ? telling : besides).filter(text => reasons.length === 0 || !isOfReasons(text));
  const ofDistance = wanted.some(text => NEARER.test(folded(text)));
  let context = aboutOf(rankFields(catalog, toldIn(segments), FIT.looked));
  const clauses: ReadPart[] = [];
  for (const text of valued) {
    const ofSource = ofSourceIn(folded(text));
    const last = clauses.at(-1);
    // What only asks of the data asks it of what was asked before.
    if (ofSource !== null && last && areMeasures(wordsOf(catalog, ofSource.rest))) {
      clauses[clauses.length - 1] = {
        ...last,
        part: { ...last.part, ofSource: [...(last.part.ofSource ?? []), ofSource.kind] },
      };
      continue;
    }
    // What says nothing by itself of a thing that no field knows is not known either.
    if (last && last.ranked.length === 0 && isOfOtherThing(last.part) && isOfIt(catalog, text)) {
      clauses.push({ ...last, part: { ...last.part, text } });
      continue;
    }
    // Of what was asked before, the first that has what is asked of it now: a noise has no distance, the airport has.
    const things = [
      ...clauses.toReversed().flatMap(({ ranked }) => ranked.map(({ name }) => name)),
      ...(told === null ? [] : [told]),
    ];
    const called = calledBy(catalog, text);
    const ofThings = things.map(thing => referred(catalog, text, thing)).find(names => names.length > 0) ?? [];
    const meant = called === null ? ofThings : [called];
    const sought = ofDistance && !FAR.test(folded(text)) ? `${text}, nearest distance` : text;
    const found = readPart(catalog, sought, context, lacking);
    const read = { ...found, part: { ...found.part, text } };
    const part = meant.length === 0 ? read : ofThing(read, meant);
    context = part.about;
    clauses.push(part);
  }
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
  for (const [i, fields] of chosen.entries())
    for (const twin of new Set(
      // Another clause may have taken its first field, of which it wants the other.
      [...clauses[i]!.ranked.slice(0, 1).map(({ name }) => name), ...fields].flatMap(name => {
        const { text } = clauses[i]!.part;
        const clause = folded(text);
        const twin = twinOf(name) ?? nearestTwinOf(name, clause) ?? closedBy(name, clause);
        const field = twin === null ? undefined : catalog.fields.get(twin);
        // Who asks when or who is not told how much or how far.
        return field === undefined || valueKindOf(text)?.is(field) === false ? [] : field.name;
      }),
    ))
      if (![taken, refused, lacking].some(names => names.has(twin)) && taken.size < MAX_PLANNED) {
        taken.add(twin);
        fields.push(twin);
      }
  const parts = clauses.flatMap(({ part, ranked }, i): Part[] => {
    if (chosen[i]!.length > 0) return [{ ...part, fields: chosen[i]! }];
    if (ranked.length === 0) return [part];
    // Another clause was answered by the same field; or the question refuses it.
    const [shared] = ranked;
    return taken.has(shared!.name) ? [{ ...part, fields: [shared!.name] }] : [];
  });
  // A question of one clause was read as a whole.
  const isOfMany = clauses.length > 1 || segments.length > 1;
  const left = preset === null && taken.size > 0 && isOfMany ? namedByAll(catalog, question, taken) : null;
  if (left !== null && !refused.has(left.name) && !lacking.has(left.name) && taken.size < MAX_PLANNED) {
    taken.add(left.name);
    parts.push({ text: whole, fields: [left.name], unknown: [], enrichment: [] });
  }
  const why = reasons
    .filter(name => !taken.has(name) && !refused.has(name) && !lacking.has(name))
    .slice(0, MAX_PLANNED - taken.size);
  for (const name of why) taken.add(name);
  if (why.length > 0) parts.push({ text: wanted.join(', '), fields: why, unknown: [], enrichment: [] });
  const expanded = preset === null ? [] : presetFields(catalog, preset, refused);
  return { fields: [...new Set([...taken, ...expanded])].slice(0, MAX_PLANNED), preset, parts };
}
