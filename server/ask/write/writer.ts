import type { Evidence, Sentence, Task } from '../backend.ts';
import { comparison } from './comparison.ts';
import { goingOn, notesSaid, quoted, reasonSaid, valueSaid, yesOrNo } from './phrase.ts';
import { inSentence, isPlural, subjectOf, thingsOf } from './subject.ts';

/** Values of a part that come with their meaning. */
const EXPLAINED = 2;
/** Most hints in an answer. */
const MAX_HINTS = 3;
/** Most fields in a plan for which notes are added to values. */
const NOTED = 3;
/** Most characters of a note that an answer repeats. */
const MAX_NOTE = 220;

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
/** The target of a distance field, such as hospital; null for other fields. */
const thingOf = ({ title }: Evidence): string | null =>
  /^Distance to (nearest .+)$/.exec(title)?.[1] ??
  (/^(Coast|Great Lakes shore) distance$/.exec(title) ? inSentence(title.replace(/ distance$/, '')) : null);

/** Whether a text value is free text from a publisher. */
const isOpen = ({ field, record }: Evidence): boolean =>
  typeof record.value === 'string' &&
  (/_(?:name|owner|operator|manager|address|species|zoning|use)$|^nearest_address$/.test(field) ||
    /\s/.test(record.value.trim()));

/** Words that begin sentences about values. Inside one a capital would make a name of them, which no record says. */
const OPENS = /^(?:The|There|No|Any|An?)\b(?!-)/;

/** A sentence that names its place, when that is not the place asked about. */
const located = ({ at }: Evidence, text: string): string =>
  at === undefined ? text : `${at}, ${OPENS.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text}`;

/** Writes one value. @param name of the same thing, put into the same sentence. */
function valueSentence(evidence: Evidence, name: Evidence | null, question: string): Sentence {
  const { field, record, description } = evidence;
  const { text: said, aside } = valueSaid(evidence, question);
  if (typeof record.value === 'boolean') return { text: yesOrNo(description, record.value), fields: [field] };
  const thing = thingOf(evidence);
  if (thing !== null) {
    const called = name ? `, ${quoted(String(name.record.value))},` : '';
    const text =
      record.value === 0
        ? `The ${thing}${called} is right at the place: the distance is ${said}.`
        : `The ${thing}${called} is ${said} away${aside}.`;
    return { text, fields: name ? [field, name.field] : [field] };
  }
  const counted = typeof record.value === 'number' ? thingsOf(evidence) : null;
  if (counted !== null) {
    const { things, where } = counted;
    const text =
      record.value === 0
        ? `There are no ${things}${where}: the count is 0.`
        : record.value === 1
          ? `The number of ${things}${where} is 1.`
          : `There are ${said} ${things}${where}.`;
    return { text, fields: [field] };
  }
  const subject = subjectOf(evidence);
  const value = isOpen(evidence) ? quoted(said) : said;
  return { text: `${capital(subject)} ${isPlural(subject) ? 'are' : 'is'} ${value}${aside}.`, fields: [field] };
}

/** Ends a sentence with a full stop. */
const closed = (text: string): string => `${text.replace(/[\s.;:,]+$/, '')}.`;

/** The parts of a yes-or-no hint that fit the value. */
function ofAnswer(pieces: readonly string[], value: boolean): string[] {
  const other = value ? /^false\b/i : /^true\b/i;
  const kept = pieces.filter(piece => !other.test(piece));
  // A part that explains only a yes says nothing about a no.
  const told = value ? kept : kept.filter(piece => /^false\b/i.test(piece));
  return told.map(piece =>
    piece
      .replace(/^(?:true|false)\b/i, 'That')
      .replace(/\bfalse\b/, 'a no')
      .replace(/\btrue\b/, 'a yes'),
  );
}

/** A part of a hint that explains one code of a letter, such as `X lies outside them`; A and I begin sentences too. */
const OF_CODE = /^([B-HJ-Z]) (?!(?:and|or)\b)/;

/** The parts of a hint without those that explain other codes than the value. */
const ofCode = (pieces: readonly string[], value: unknown): string[] =>
  pieces.filter(piece => [undefined, value].includes(OF_CODE.exec(piece)?.[1]));

/** The meaning of a value, as far as it needs no numbers beside the record's. */
function meaningOf({ hint, record }: Pick<Evidence, 'hint' | 'record'>): string | null {
  const pieces = hint.split(/(?<=[.;])\s+/).filter(Boolean);
  const end = pieces.findIndex(piece => /\d/.test(piece));
  const plain = end < 0 ? pieces : pieces.slice(0, end);
  const told = typeof record.value === 'boolean' ? ofAnswer(plain, record.value) : ofCode(plain, record.value);
  return told.length === 0 ? null : closed(told.join(' '));
}

/** The note about a value, when the source gives a short one. */
function noteOf({ record, field }: Evidence): Sentence[] {
  const notes = notesSaid(record.notes).replace(/\.$/, '');
  if (record.status !== 'ok' || notes === '' || notes.length > MAX_NOTE) return [];
  return [{ text: `The source notes: ${quoted(notes)}.`, fields: [field] }];
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Sentences for fields without a value: one for each reason. */
function gapSentences(evidence: readonly Evidence[]): Sentence[] {
  const reasons = Map.groupBy(
    evidence.filter(({ record }) => record.status !== 'ok'),
    ({ record }) =>
      record.status === 'failed'
        ? `could not be read (${goingOn(record.error ?? 'the source failed')}); ${record.retryable ? 'asking again may help' : 'asking again will not help'}`
        : `no value here: ${goingOn(reasonSaid(record.notes) || 'the source has no data for this place')}`,
  );
  return [...reasons].map(([reason, group]) => {
    const subjects = listed(group.map(subjectOf));
    const verb = group[0]!.record.status === 'failed' ? '' : group.length > 1 ? 'have ' : 'has ';
    return { text: capital(`${subjects} ${verb}${reason}.`), fields: group.map(({ field }) => field) };
  });
}

/** The field with the name of the thing that a distance field measures to. */
const nameFieldOf = (field: string): string => field.replace(/_distance_m$/, '_name');

/**
 * Writes an answer from records alone: the values, the meaning of the first ones, the area forms of a site, comparisons
 * that the question asks for, absent values with reasons, and failures. Every sentence cites its records.
 */
export function writtenFrom({ question, plan, evidence }: Task): Sentence[] {
  const by = new Map(evidence.map(one => [one.field, one]));
  const ok = (field: string) => (by.get(field)?.record.status === 'ok' ? by.get(field)! : null);
  const said = new Set<string>();
  const sentences: Sentence[] = [];
  let hints = 0;
  const parts = plan.parts.map(part => part.fields);
  // Fields that a preset or a model planned in addition to the parts.
  parts.push(plan.fields.filter(field => !parts.flat().includes(field)));
  for (const [i, fields] of parts.entries()) {
    let explained = 0;
    for (const field of fields) {
      const one = ok(field);
      if (!one || said.has(field)) continue;
      const name =
        field.endsWith('_distance_m') && plan.fields.includes(nameFieldOf(field)) ? ok(nameFieldOf(field)) : null;
      const distance = field.replace(/_name$/, '_distance_m');
      // The sentence about its distance names it.
      if (distance !== field && plan.fields.includes(distance) && ok(distance)) continue;
      said.add(field);
      // A site may have a value as a whole although its interior point has none.
      if (one.record.value !== null) {
        const sentence = valueSentence(one, name, plan.parts[i]?.text ?? question);
        sentences.push({ ...sentence, text: located(one, sentence.text) });
        for (const each of sentence.fields) said.add(each);
      }
      for (const text of one.area) sentences.push({ text, fields: [field] });
      if (explained++ >= EXPLAINED || hints >= MAX_HINTS) continue;
      const meaning = meaningOf(one);
      if (meaning !== null) sentences.push({ text: meaning, fields: [field] });
      if (meaning !== null) hints++;
      // A note that many records share is written once.
      if (plan.fields.length <= NOTED)
        sentences.push(...noteOf(one).filter(({ text }) => !sentences.some(other => other.text === text)));
    }
    const compared = comparison(
      question,
      fields.flatMap(field => ok(field) ?? []),
    );
    if (compared) sentences.push(compared);
  }
  const across = comparison(
    question,
    parts.flatMap(fields => ok(fields[0] ?? '') ?? []),
  );
  if (across && !sentences.some(({ text }) => text === across.text)) sentences.push(across);
  return [...sentences, ...gapSentences(evidence)];
}
