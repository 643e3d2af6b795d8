import type { Evidence, Unsupported } from '../backend.ts';
import { folded } from '../retrieval/words.ts';
import { CHOSEN } from './amount.ts';
import { type Clause, isSupposed, mattersOf, shared } from './clauses.ts';
import { claimOf } from './matter.ts';

/** Every value that a field can have; empty when its list is open. */
export type Values = (field: string) => readonly string[];

const LABEL = '(?:zone|class|group|category|status|type|grade|rating|code|district|zoning)s?';
const TOKEN = '(?<token>[A-Z]{1,2}\\d{0,2}(?:/[A-Z])?)';
const LABELLED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:${LABEL}|Zone|Class|Group|Category|Type|Zones|zoned)(?:[\\s,:]+(?:code|is|was|of|as|be|remains|called))?[\\s:]+(?:a |an |the )?["“']?${TOKEN}(?!\\.?[\\p{L}\\p{N}&]|-[\\p{L}\\p{N}])`,
    'gu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}&-])${TOKEN}[- ](?:flood |soil )?(?:zone|class|group|category|district|soils?)\\b`,
    'gu',
  ),
];
const DENIED_BEFORE =
  /(?:\b(?:not|no|none|never|rather than|instead of|outside|nor|no longer)|n't)\s+(?:[\p{L}-]+\s+){0,3}$/iu;

const plain = (text: string): string =>
  ` ${folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** What a cited record publishes: its value and what the source notes, as words with their capitals. */
const publishedBy = (cited: readonly Evidence[]): string[] =>
  cited.flatMap(({ record }) => [
    ...(typeof record.value === 'string' ? record.value.split(/[\s,;]+/) : []),
    ...(record.notes ?? '').split(/[\s,;.]+/),
  ]);

function wrongLabel(text: string, cited: readonly Evidence[]): string | null {
  const published = new Set(publishedBy(cited));
  const values = new Set(cited.flatMap(({ record }) => (typeof record.value === 'string' ? [record.value] : [])));
  for (const pattern of LABELLED)
    for (const match of text.matchAll(pattern)) {
      const token = match.groups!.token!;
      const before = text.slice(0, match.index);
      // An article before the word for the class.
      if (token === 'A' && /^A[- ]/.test(match[0]) && !/\b(?:an|the)\s$/i.test(before)) continue;
      if (token === 'I') continue;
      const denied = DENIED_BEFORE.test(before);
      if (denied ? values.has(token) : !published.has(token)) return match[0];
    }
  return null;
}

/** The values of a closed list that a text names. Longer ones are read first, so that a part of one is none. */
function namedIn(text: string, list: readonly string[]): Set<string> {
  let rest = plain(text);
  const named = new Set<string>();
  for (const value of [...list].sort((a, b) => b.length - a.length)) {
    const words = plain(value);
    if (words.trim().length < 2 || !rest.includes(words)) continue;
    named.add(value);
    rest = rest.replaceAll(words, ' ; ');
  }
  return named;
}

/** Words of classes that also stand beside other things. */
const COMMON = new Set(
  'very somewhat relatively well no not other and or of the area areas all are none rating data'.split(' '),
);
/** Most characters of a value whose denial is looked for. */
const MAX_VALUE = 60;
/** Most values of a list whose single words tell them apart. */
const SCALE = 8;

function wrongValue(text: string, one: Evidence, list: readonly string[]): string | null {
  const value = String(one.record.value);
  const named = namedIn(text, list);
  const own = plain(value);
  const said = named.has(value);
  const topical = shared(mattersOf(text), mattersOf(`${one.title} ${claimOf(one)}`)) > 0;
  if (said) {
    const before = plain(text).slice(0, plain(text).indexOf(own) + 1);
    return DENIED_BEFORE.test(before) ? value : null;
  }
  const denied = (other: string): boolean =>
    DENIED_BEFORE.test(plain(text).slice(0, plain(text).indexOf(plain(other)) + 1));
  const wrong = [...named].find(other => !denied(other) && (topical || /\s/.test(other.trim()) || /\d/.test(other)));
  if (wrong !== undefined) return wrong;
  if (!topical || list.length > SCALE) return null;
  const words = plain(text).trim().split(' ');
  const mine = own
    .trim()
    .split(' ')
    .filter(word => !COMMON.has(word));
  if (words.some(word => mine.includes(word))) return null;
  const foreign = new Set(
    list
      .flatMap(other => plain(other).trim().split(' '))
      .filter(word => !COMMON.has(word) && !mine.includes(word) && word.length > 2),
  );
  return words.find((word, i) => foreign.has(word) && !DENIED_BEFORE.test(`${words.slice(0, i).join(' ')} `)) ?? null;
}

const isNone = (value: string): boolean => /^(?:none|no|not|never|non\w*)\b/i.test(value);

const POINTS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'];
const POINT =
  /(?<![\p{L}-])(?:due )?(?<point>(?:north|south)[- ]?(?:east|west)|north|south|east|west)(?:ern|erly|ward|wards|-?facing)?(?![\p{L}])/giu;
const CARDINALS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/** The bearing of a record in degrees; null when it is none. */
function bearingOf({ field, record: { value } }: Evidence): number | null {
  if (!/aspect|bearing|direction/.test(field)) return null;
  if (typeof value === 'number') return value;
  const i = CARDINALS.indexOf(String(value));
  return i < 0 ? null : i * 45;
}

/** Finds a point of the compass that no cited record says. */
function wrongPoint(text: string, cited: readonly Evidence[]): string | null {
  const bearings = cited.flatMap(one => bearingOf(one) ?? []);
  const said = plain(
    cited
      .map(({ record, title, hint, description, area }) =>
        [
          String(record.value),
          record.notes ?? '',
          title,
          ...(bearings.length > 0 ? [] : [hint, description]),
          ...area,
        ].join(' '),
      )
      .join(' '),
  );
  for (const match of text.matchAll(POINT)) {
    const point = match.groups!.point!.toLowerCase().replace(/[- ]/g, '');
    const degrees = POINTS.indexOf(point) * 45;
    const isNear = bearings.some(
      bearing => Math.abs(((bearing - degrees + 540) % 360) - 180) <= 45 / (bearing % 45 === 0 ? 2 : 1),
    );
    const denied = DENIED_BEFORE.test(text.slice(0, match.index));
    if (bearings.length > 0 ? isNear === denied : !said.includes(point)) return match[0];
  }
  return null;
}

/** The value of an open list whose words a text denies, or asserts where the value itself denies. */
function deniedValue(text: string, { field, record: { value } }: Evidence): string | null {
  if (typeof value !== 'string' || CHOSEN.test(field) || value.length > MAX_VALUE) return null;
  const said = plain(text);
  const isDenied = (start: number) =>
    DENIED_BEFORE.test(said.slice(0, start + 1)) ||
    /\b(?:isn|aren|wasn|doesn|don) t (?:[a-z]+ ){0,2}$/.test(said.slice(0, start + 1));
  const whole = said.indexOf(plain(value));
  if (whole >= 0) return isDenied(whole) ? value : null;
  const words = plain(value)
    .trim()
    .split(' ')
    .filter(word => !COMMON.has(word) && word.length > 2);
  if (words.length === 0 || !words.every(word => said.includes(` ${word} `))) return null;
  const first = Math.min(...words.map(word => said.indexOf(` ${word} `)));
  return isDenied(first) === /\b(?:not|no|non)\b/i.test(value) ? null : value;
}

/** Finds a class, a letter of a zone or a point of the compass that is not that of the cited records. */
export function wrongClass(clauses: readonly Clause[], cited: readonly Evidence[], values: Values): Unsupported | null {
  const ok = cited.filter(({ record }) => record.status === 'ok');
  for (const { text, denied } of clauses.filter(({ text }) => !isSupposed(text))) {
    const what = wrongLabel(text, ok) ?? wrongPoint(text, ok);
    if (what !== null) return { what, kind: 'class' };
    for (const one of ok) {
      const against = deniedValue(text, one);
      if (against !== null) return { what: text, kind: 'polarity' };
      const list = typeof one.record.value === 'string' ? values(one.field) : [];
      if (list.length === 0) continue;
      // Another cited record may have that class.
      const own = ok.filter(other => other !== one).map(({ record }) => plain(String(record.value)));
      const wrong = wrongValue(text, one, list);
      if (wrong !== null && !own.some(other => other.includes(plain(wrong)))) return { what: wrong, kind: 'class' };
      const none =
        list.some(isNone) && namedIn(text, list).size === 0 && shared(mattersOf(text), mattersOf(one.title)) > 0;
      if (none && denied !== isNone(String(one.record.value)) && ok.length === 1)
        return { what: text, kind: 'polarity' };
    }
  }
  return null;
}
