import { type VerdictRule, wordsOf } from '../../../datasets/verdict.ts';
import type { Evidence } from '../backend.ts';
import { idiomOf } from './idiom.ts';
import {
  capital,
  dateSaid,
  forReaders,
  goingOn,
  isUpperBound,
  listed,
  quoted,
  reasonSaid,
  sourceSaid,
  valueSaid,
} from './phrase.ts';
import { inMiles, inSentence, isPlural, subjectOf, thingsOf } from './subject.ts';
import type { Decided, Relation, Tongue } from './tongue.ts';

/** Most things that a sentence lists. */
const MAX_LISTED = 3;
/** Years after which a statistic is told in the past. */
const PAST = 2;

/** Statistics that go on changing, unlike ground. */
const CHANGING =
  /\b(?:county|tract|rate|price|income|rent|population|jobs|employment|index|permits|migration|wage|queue|drought|vacancy)\b/i;

/** The target of a distance field, such as hospital; null for other fields. */
const thingOf = (one: Evidence): string | null => {
  const subject = subjectOf(one);
  return (
    /^the distance to the (nearest .+)$/.exec(subject)?.[1] ??
    (/^(Coast|Great Lakes shore|Climate station) distance$/.exec(one.title)
      ? inSentence(one.title.replace(/ distance$/, ''))
      : null)
  );
};

/** Whether a text value is free text from a publisher. */
export const isOpen = ({ field, record }: Evidence): boolean =>
  typeof record.value === 'string' &&
  (/_(?:name|owner|operator|manager|address|species|zoning|use)$|^nearest_address$/.test(field) ||
    /[\s_]/.test(record.value.trim()));

/** A class in words rather than a code. */
const CLASS = /^\p{Lu}\p{Ll}+(?:[ -]\p{L}\p{Ll}+){0,3}$/u;

/** A value inside a sentence. */
function inside(one: Evidence, text: string, ruled: boolean): string {
  if (ruled && CLASS.test(text)) return text.toLowerCase();
  if (!isOpen(one)) return text;
  // A class in capitals shouts; a name in capitals is how its publisher spells it.
  return quoted(/_(?:subtype|class)$/.test(one.field) ? text.toLowerCase() : text.replaceAll('_', ' '));
}

/** The year up to which a statistic goes, where that is past; null otherwise. */
export function pastYear({ title, record }: Evidence): number | null {
  const [, ends] = /\bedition ends in (\d{4})\b/.exec(record.notes ?? '') ?? [];
  const years = [...(record.dataset_vintage ?? '').matchAll(/\b(?:19|20)\d\d\b/g)].map(([year]) => Number(year));
  const year = ends === undefined ? Math.max(...years) : Number(ends);
  if (!Number.isFinite(year) || typeof record.value !== 'number' || !CHANGING.test(title)) return null;
  return Number(record.fetched_at.slice(0, 4)) - year >= PAST ? year : null;
}

/** The sentence for a yes or no, from a description that begins with "Whether". */
function yesOrNo(description: string, value: boolean): string {
  const [claim = ''] = description.replace(/^Whether /, '').split(/\.(?:\s|$)/);
  if (value) return capital(claim);
  return capital(claim)
    .replace(/^Any /, 'No ')
    .replace(/^A mapped /, 'No mapped ')
    .replace(/\bqualifies or adjoins\b/, 'neither qualifies nor adjoins')
    .replace(/^((?:\w+ ){1,3}?)(falls|qualifies|covers|lies)\b/, (_, subject: string, verb: string) => {
      const base = verb === 'qualifies' ? 'qualify' : verb.slice(0, -1);
      return `${subject}does not ${base}`;
    });
}

function statement(one: Evidence, name: Evidence | null, clause: string, decides: boolean): string {
  const { record, description } = one;
  const { text: said, aside } = valueSaid(one, clause);
  if (typeof record.value === 'boolean') return yesOrNo(description, record.value);
  const thing = thingOf(one);
  if (thing !== null) {
    const called = name ? `, ${quoted(String(name.record.value))},` : '';
    const straight = decides && !isUpperBound(one) ? ' in a straight line' : '';
    return record.value === 0
      ? `The ${thing}${called} is right at the place`
      : `The ${thing}${called} is ${said}${aside} away${straight}`;
  }
  const counted = typeof record.value === 'number' ? thingsOf({ title: one.title, unit: one.record.unit }) : null;
  if (counted !== null) {
    const where = inMiles(counted.where);
    return record.value === 0
      ? `There are no ${counted.things}${where}`
      : record.value === 1
        ? `There is 1 ${counted.thing}${where}`
        : `There are ${said} ${counted.things}${where}`;
  }
  const subject = subjectOf(one);
  const year = pastYear(one);
  const [, changing] = /^the (?:year-over-year change|one-year growth) of (the .+)$/.exec(subject) ?? [];
  if (changing !== undefined && typeof record.value === 'number' && record.value !== 0) {
    const { text } = valueSaid({ ...one, record: { ...record, value: Math.abs(record.value) } }, clause);
    return `${capital(changing)} ${record.value < 0 ? 'fell' : 'rose'} by ${text} in ${year ?? 'a year'}`;
  }
  const idiom = idiomOf(one, { text: said, year });
  if (idiom !== null) return `${idiom}${aside}`;
  const verb = year === null ? (isPlural(subject) ? 'are' : 'is') : isPlural(subject) ? 'were' : 'was';
  const when = year === null ? '' : ` in ${year}`;
  return `${capital(subject)} ${verb} ${inside(one, said, false)}${aside}${when}`;
}

function verdict(one: Evidence, { outcome, edge, why, rule }: Decided, clause: string): string {
  const { text, aside } = valueSaid(one, clause);
  const value = `${inside(one, text, true)}${aside}`;
  const isBoolean = typeof one.record.value === 'boolean';
  if (outcome === 'yes' || outcome === 'no') {
    const straight = /\bdistance\b/i.test(one.title) && !isUpperBound(one) && one.record.value !== 0;
    return inMiles(wordsOf(rule, { outcome, why }, value)).replace(
      / away\b/,
      straight ? ' away in a straight line' : ' away',
    );
  }
  if (outcome === 'unknown') return `${statement(one, null, clause, true)}, which leaves open whether ${rule.matter}`;
  if (isBoolean) return wordsOf(rule, { outcome, why: edge && why }, value);
  const own = statement(one, null, clause, true);
  return edge
    ? `${own}, but that is too close to call: ${why}`
    : `${own}, and it is too close to call whether ${rule.matter}`;
}

const named = (group: readonly Evidence[]): string => {
  const subjects = [...new Set(group.map(subjectOf))];
  return subjects.length > MAX_LISTED ? `${subjects.slice(0, MAX_LISTED).join(', ')} and others` : listed(subjects);
};

/** That nothing is known of some fields: of those of one thing, of the thing alone. */
function notGiven(all: readonly Evidence[]): string {
  const group = all.filter(one => !all.some(other => subjectOf(one).startsWith(`${subjectOf(other)} `)));
  const subjects = [...new Set(group.map(subjectOf))];
  const verb = subjects.length > 1 ? 'are' : 'is';
  if (subjects.some(subject => subject.includes("'s "))) return capital(`${named(group)} ${verb} not given here`);
  const things = subjects.map(subject => subject.replace(/^the /, ''));
  return `No ${things.length > MAX_LISTED ? `${things.slice(0, MAX_LISTED).join(', ')} or other value` : listed(things, 'or')} is given here`;
}

function gap(group: readonly Evidence[], rule: VerdictRule | null): string {
  const [{ record }] = group as [Evidence];
  if (record.status === 'failed')
    return capital(
      `${named(group)} could not be read (${goingOn(reasonSaid(record.error ?? 'the source failed'))}); ${record.retryable ? 'asking again may help' : 'asking again will not help'}`,
    );
  const reason = goingOn(reasonSaid(record.notes) || 'the source has no data for this place');
  if (rule)
    return `${wordsOf(rule, { outcome: 'unknown', why: reason }, '')}; ${rule.settledBy} would be needed to settle it`;
  return `${notGiven(group)}: ${reason}`;
}

const RELATIONS: Readonly<Record<Exclude<Relation, 'mapped'>, string>> = {
  ...{ more: 'more than', less: 'less than', equal: 'exactly' },
  ...{ 'just over': 'just over', 'just under': 'just under' },
};

/** What a level of confidence means to whoever relies on a value. */
const SURE: Readonly<Record<string, string>> = {
  high: '',
  medium: ', good enough to plan with and not to sign',
  low: ', a hint to be checked on the ground',
};

/** A vintage of a record as a date, or as its publisher gives it. */
const vintageSaid = (vintage: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(vintage) ? dateSaid(vintage) : forReaders(vintage);

/** American English, as a surveyor tells a client. */
export const ENGLISH: Tongue = {
  statement,
  verdict,
  beside: (text, relation, limit) =>
    relation === 'mapped'
      ? `${text}: the nearest one on the map is more than ${limit} away, but one beyond its edge may be nearer`
      : `${text}, which is ${RELATIONS[relation]} ${limit}`,
  gap,
  missing: group => `Not known here: ${named(group)}`,
  settle: by => `${capital(by)} would be needed to settle it`,
  lacking(subjects, of) {
    const what =
      subjects.length > MAX_LISTED ? `${subjects.slice(0, MAX_LISTED).join(', ')} and other matters` : listed(subjects);
    return of === 'copy'
      ? `This copy of the published data lacks ${what}; the operator of this service can add that`
      : `This release has no data on ${what}; its operator can add that`;
  },
  unmet(words, parts, whole) {
    const kinds = [...new Set(parts.flatMap(({ lacking }) => lacking ?? []))];
    const what =
      words.length > 0
        ? `No data here tells of ${listed(words.map(quoted))}`
        : kinds.length > 0
          ? `No data here gives ${listed(kinds, 'or')} for that`
          : `No data here answers ${whole ? 'this question' : 'the rest of the question'}`;
    return parts.some(({ enrichment }) => enrichment.length > 0)
      ? `${what}; the record of the parcel, by enrichment, may`
      : `${what}; a field request, with an example location, can have it added`;
  },
  beyond: (_, refused) => refused.replace(/\.$/, ''),
  standing: ({ standing }) => (standing ? `That is ${standing.text}` : null),
  ofSource(asked, one) {
    const { dataset_vintage: vintage, confidence } = one.record;
    const subject = subjectOf(one);
    switch (asked) {
      case 'vintage':
        return vintage === null || !/\d/.test(vintage)
          ? `The source gives no date for ${subject}`
          : `The data on ${subject} is of ${vintageSaid(vintage)}`;
      case 'confidence':
        return `The confidence in ${subject} is ${confidence}${SURE[confidence]}`;
      case 'source':
        return `The source of ${subject} is ${sourceSaid(one)}`;
    }
  },
  unsaid: 'Nothing certain can be said here from the records that were looked up.',
  closing({ place, years, isMap, standsIn, synthetic }) {
    if (synthetic === 'all') return `This is about ${place}, from synthetic data: made up, it describes no real place`;
    const what = isMap ? 'maps' : 'data';
    const dated =
      years === null
        ? `from ${what} without a stated date`
        : `from ${what} of ${years[0] === years[1] ? years[0] : `${years[0]} to ${years[1]}`}`;
    const instead = standsIn === null ? '' : ` that ${isMap ? 'stand' : 'stands'} in for the published ${standsIn}`;
    const some = synthetic === 'some' ? '; some values are synthetic data, made up' : '';
    return `This is about ${place}, ${dated}${instead}${some}`;
  },
};
