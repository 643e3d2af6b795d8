import type { Beyond, Part } from '../backend.ts';
import { folded } from '../retrieval/words.ts';
import { quoted } from '../write/phrase.ts';
import type { Reading } from './reading.ts';
import { isSpanish, SPANISH_REFUSALS } from './spanish.ts';
import { isSamePlace } from './whereabouts.ts';

/** Fields with the names of what contains a place. */
export const NAMES_AROUND = [
  'state_name',
  'county_name',
  'place_name',
  'county_subdivision_name',
  'cbsa_name',
] as const;

/** Where the place is that a question is asked about. */
export interface Whereabouts {
  /** Names of what contains it; empty where the release knows none. */
  readonly names: readonly string[];
  readonly point: { readonly lat: number; readonly lng: number };
}

/** A question without what goes beyond one place as it is today. */
export interface Judgement {
  /** What is left to plan; null for nothing. */
  readonly rest: string | null;
  /** What goes beyond it, each with the sentence that says so. */
  readonly parts: readonly Part[];
  /** Sentences about places that could not be compared with the one asked about. */
  readonly caveats: string[];
}

/** Most characters of a question that a sentence repeats. */
const MAX_SAID = 60;

/** The sentence that says what an answer is about, and what else the service can do. */
function said({ kind, written }: Beyond, spanish: boolean): string {
  const name = quoted(written.slice(0, MAX_SAID));
  if (spanish) return SPANISH_REFUSALS[kind](name);
  switch (kind) {
    case 'set':
      return 'This asks about many places, and an answer here is about one. The parcels that pass filters can be found, counted, ranked and summed up, and a batch reads the same values at many places.';
    case 'map':
      return 'This asks for a map or a chart, and an answer here is text about one place. The explorer shows a place and its parcels on a map.';
    case 'place':
      return `This asks about ${name}, and an answer here is about the place given alone. Ask again with the coordinates or the address of the other place, if it is in the United States.`;
    case 'time':
      return `This asks about another time, ${name}, and an answer here says what the latest data says of the place: no value here is of that time.`;
    case 'opinion':
      return 'This asks for advice, and an answer here tells what public data says of the place. Ask what decides it for you, such as flooding, noise, schools or the last sale.';
  }
}

/** Goes on with what the sentence before asks. */
const GOES_ON = /^(?:and|how about|what about|y)\b/i;

/**
 * Judges what a question asks beyond one place as it is today, now that it is known where the place is. A part that only leads
 * to the rest of its sentence takes that with it.
 */
export function judged(question: string, { segments }: Reading, where: Whereabouts): Judgement {
  const spanish = isSpanish(folded(question));
  const caveats = new Set<string>();
  const parts: Part[] = [];
  const rest: (typeof segments)[number][] = [];
  let leading: { readonly sentence: number; readonly beyond: Beyond } | null = null;
  let before: Beyond | null = null;
  for (const segment of segments) {
    const others = segment.places.filter(place => !isSamePlace(place, where.names, where.point));
    const [other] = others.filter(place => place.coordinates !== undefined || where.names.length > 0);
    if (other === undefined && others.length > 0)
      caveats.add(
        spanish
          ? `Aquí no se sabe si el lugar dado está en ${quoted(others[0]!.name)}; la respuesta es sobre el lugar dado.`
          : `It is not known here whether the place given is in ${quoted(others[0]!.name)}; the answer is about the place given.`,
      );
    const own = segment.beyond ?? (other === undefined ? null : ({ kind: 'place', written: other.name } as const));
    const led: Beyond | null = leading?.sentence === segment.sentence ? leading.beyond : null;
    const carried: Beyond | null = GOES_ON.test(segment.text) && segment.places.length === 0 ? before : null;
    const beyond: Beyond | null = own ?? led ?? carried;
    if (own !== null && segment.leads) leading = { sentence: segment.sentence, beyond: own };
    if (segment.asks) before = beyond;
    if (beyond === null) rest.push(segment);
    else
      parts.push({
        text: segment.text,
        fields: [],
        unknown: [],
        enrichment: [],
        refused: said(beyond, spanish),
        beyond,
      });
  }
  // Without any other place, the question is planned as it was written.
  if (parts.length === 0 && segments.every(({ matter, text }) => matter === text))
    return { rest: question, parts, caveats: [...caveats] };
  const left = rest.map(({ matter }) => matter.replace(/[.;,]+$/, '').replace(/(?<![?!])$/, '.')).join(' ');
  return rest.some(({ asks }) => asks)
    ? { rest: left, parts, caveats: [...caveats] }
    : { rest: null, parts, caveats: [] };
}
