import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { languageWork } from '../language/language.ts';
import { LOOKUP_NAMES } from '../lookup/names.ts';
import { type ContentDigest, contentDigest } from './content.ts';

/** Places of an answer that are looked at: as many as a batch has. */
const MOST_POINTS = 25;
/** Names of an answer that are looked at: more than enrichment has. */
const MOST_NAMES = 1_000;
/** Sources of an answer that are looked at: more than a release has. */
const MOST_SOURCES = 1_000;

/** An answer to be read for its receipt. */
export interface AnswerText {
  /** JSON text in UTF-8. */
  readonly answer: string | Uint8Array;
  /** JSON text of the request's body. */
  readonly body: string;
}

/** What a receipt says of an answer, and what the answer was made of. */
export interface AnswerReading {
  readonly digest: ContentDigest;
  /** Fields that it tells or was asked by. */
  readonly names: readonly string[];
  /** Sources that it cites. */
  readonly sources: readonly string[];
  /** Places that it is about. */
  readonly points: readonly Point[];
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first position of GeoJSON coordinates. */
function positionOf(coordinates: unknown): Partial<Point> {
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0];
  return Array.isArray(first) ? { lng: first[0], lat: first[1] } : {};
}

/** Gathers the names, the sources and the places in an answer. */
class Traces {
  readonly names = new Set<string>();
  readonly sources = new Set<string>();
  readonly points: Point[] = [];

  answer(value: unknown): void {
    if (Array.isArray(value)) {
      if (typeof value[0] !== 'number') for (const one of value) this.answer(one);
      return;
    }
    if (!isObject(value)) return;
    this.#point(value);
    if (value.disposition === 'resolved') for (const name of LOOKUP_NAMES) this.#name(name);
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'fields' && isObject(inner)) for (const name of Object.keys(inner)) this.#name(name);
      else if (key === 'fields_used' && Array.isArray(inner)) for (const name of inner) this.#name(String(name));
      else if (key === 'source' && typeof inner === 'string') this.#source(inner);
      else if (key === 'parcel_id' || key === 'parcel_ids') this.#name('parcel_id');
      else if (key === 'coordinates') this.#point(positionOf(inner));
      else this.answer(inner);
    }
  }

  /** The names among the texts of a body, and its places. */
  body(value: unknown, catalog: Catalog): void {
    if (typeof value === 'string') {
      if (catalog.fields.has(value) || enrichCatalogOf(catalog).fields.has(value)) this.#name(value);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value) && typeof value[0] === 'number') return;
    if (isObject(value)) this.#point('coordinates' in value ? positionOf(value.coordinates) : value);
    for (const one of Object.values(value)) this.body(one, catalog);
  }

  #name(name: string): void {
    if (this.names.size < MOST_NAMES) this.names.add(name);
  }

  #source(source: string): void {
    if (this.sources.size < MOST_SOURCES) this.sources.add(source);
  }

  #point({ lat, lng }: { readonly lat?: unknown; readonly lng?: unknown }): void {
    if (typeof lat === 'number' && typeof lng === 'number' && this.points.length < MOST_POINTS)
      this.points.push({ lng, lat });
  }
}

/** Reads an answer for its receipt. Pure. */
export function readAnswer(catalog: Catalog, { answer, body }: AnswerText): AnswerReading {
  const text = typeof answer === 'string' ? answer : Buffer.from(answer).toString('utf8');
  const given: unknown = JSON.parse(text);
  const traces = new Traces();
  traces.answer(given);
  traces.body(JSON.parse(body), catalog);
  const [names, sources] = [traces.names, traces.sources].map(set => [...set].sort()) as [string[], string[]];
  return { digest: contentDigest(given), names, sources, points: traces.points };
}

/** The same in another thread, for answers whose reading would keep the serving thread busy. */
export const READ_ANSWER = languageWork<AnswerText, AnswerReading>('read-answer');
