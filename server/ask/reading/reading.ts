import type { Catalog } from '../../../datasets/catalog.ts';
import type { Field } from '../../../datasets/dataset.ts';
import type { Beyond } from '../backend.ts';
import { FIT } from '../plan/fit.ts';
import { presetOf } from '../plan/presets.ts';
import { rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { asksForOpinion } from './opinion.ts';
import { placesNamedIn, unnamedPlaceIn } from './place.ts';
import { readSegments, type Segment } from './segments.ts';
import { asksForMap, asksOfSet, peopleOf } from './set.ts';
import { type OtherTime, otherTimeIn } from './time.ts';
import type { NamedPlace } from './whereabouts.ts';

/** A segment of a question, judged before anything is searched for it. */
interface ReadSegment {
  readonly text: string;
  readonly sentence: number;
  readonly asks: boolean;
  /** Leads to what the rest of its sentence asks. */
  readonly leads: boolean;
  /** Null for what one place as it is today may answer. */
  readonly beyond: Beyond | null;
  /** Places that it names: whether they are the one asked about is judged where that is known. */
  readonly places: readonly NamedPlace[];
  /** The text without their names, where that still asks for something: "the elevation in Maine" asks for no state. */
  readonly matter: string;
}

/** A question with what of it is not about one place as it is today. */
export interface Reading {
  readonly segments: readonly ReadSegment[];
}

/** A span of years in a description. */
const SPAN = /\b((?:19|20)\d\d)-((?:19|20)\d\d)\b/;

/** Whether a field tells of another time: by a date or a year of its own, or as a projection for that year. */
function tellsOf({ type, name, unit, description }: Field, year: number | null): boolean {
  if (type === 'date' || type === 'timestamp' || (unit === null && /year|date/.test(name))) return year !== null;
  const [, first, last] = SPAN.exec(description) ?? [];
  if (first === undefined || Number(first) < new Date().getUTCFullYear()) return false;
  return year === null || (year >= Number(first) && year <= Number(last));
}

/** Whether no field that a segment is about tells of its time. */
function isUnknownTime(catalog: Catalog, text: string, { year, written }: OtherTime): boolean {
  // Years off say nothing of what is asked for; a year may be in the terms of a projection.
  const ranked = rankFields(catalog, year === null ? text.replace(written, ' ') : text, FIT.timed);
  const about = ranked.filter(({ score }) => score >= FIT.timedShare * ranked[0]!.score);
  return !about.some(({ name }) => tellsOf(catalog.fields.get(name)!, year));
}

function beyondOf(catalog: Catalog, segment: Segment, ofSite: boolean): Beyond | null {
  if (segment.manner === 'tells') return null;
  const { text } = segment;
  if (asksForMap(text)) return { kind: 'map', written: text };
  if (asksForOpinion(text) && presetOf(text) === null) return { kind: 'opinion', written: text };
  const people = peopleOf(segment);
  if (people !== null) return { kind: 'place', written: people };
  const neighbor = unnamedPlaceIn(text);
  if (neighbor !== null) return { kind: 'place', written: neighbor };
  if (!ofSite && asksOfSet(text)) return { kind: 'set', written: text };
  const time = otherTimeIn(segment);
  return time !== null && isUnknownTime(catalog, text, time) ? { kind: 'time', written: time.written } : null;
}

/** A text without the names of places, and what leads to them; as it is when that says nothing any more. */
function withoutPlaces(catalog: Catalog, text: string, places: readonly NamedPlace[]): string {
  const names = places.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  if (names === '') return text;
  const led = '(?:,?\\s*\\b(?:here )?(?:in|at|of|for|near|en|de)\\s+|,\\s*)?(?:the )?';
  const left = text.replace(new RegExp(`${led}(?:${names})(?:[’']s)?`, 'gu'), ' ');
  const says = wordsOf(catalog, left).some(({ weight }) => weight === 1);
  return says
    ? left
        .replace(/\s+/g, ' ')
        .replace(/ (?=[?!.,])/g, '')
        .trim()
    : text;
}

/**
 * Reads a question: what each of its segments asks beyond one place as it is today. Pure and place-independent.
 * @param ofSite whether it is asked of a site, whose parcels are known.
 */
export function readQuestion(catalog: Catalog, question: string, ofSite = false): Reading {
  const segments = readSegments(question).map((segment): ReadSegment => {
    const { text, sentence, manner } = segment;
    const places = manner === 'tells' ? [] : placesNamedIn(segment);
    return {
      ...{ text, sentence, asks: manner === 'asks', leads: manner === 'names', places },
      beyond: beyondOf(catalog, segment, ofSite),
      matter: withoutPlaces(catalog, text, places),
    };
  });
  return { segments };
}
