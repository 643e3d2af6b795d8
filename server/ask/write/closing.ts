import type { Evidence, Task } from '../backend.ts';
import { tongueOf } from './language.ts';
import { forReaders } from './phrase.ts';

/** Matches the sources of made-up data. */
const SYNTHETIC = /^synthetic:/;
const YEAR = /\b(?:19|20)\d\d\b/g;
/** What its own layer stands in for; that of a layer which it was joined by has a name before it. */
const STANDS_IN = /(?:^|\. )Stands in for ([^:;.(]+)/;
/** Fields that are read off a map. */
const OF_MAP = /flood|zone|wetland|sfha|within|distance|wildfire|hazard|soil|slope|elevation|habitat|karst|landslide/;

/** The last year that the vintage of a record names; null for none. */
function yearOf({ record }: Evidence): number | null {
  const years = (record.dataset_vintage ?? '').match(YEAR)?.map(Number);
  return years ? Math.max(...years) : null;
}

/**
 * The sentence that says which place an answer is about and of when its data is.
 * @param deciding the records that the answer rests on; without any there is no sentence.
 */
export function closingOf({ question, place, about }: Task, deciding: readonly Evidence[]): string[] {
  if (deciding.length === 0) return [];
  const synthetic = deciding.filter(({ record }) => SYNTHETIC.test(record.source)).length;
  const years = deciding.flatMap(one => yearOf(one) ?? []);
  const [standsIn] = deciding.flatMap(({ record }) => STANDS_IN.exec(record.notes ?? '')?.[1] ?? []);
  const text = tongueOf(question).closing({
    place: place ?? about,
    years: years.length === 0 ? null : [Math.min(...years), Math.max(...years)],
    isMap: deciding.every(({ field }) => OF_MAP.test(field)),
    standsIn: standsIn === undefined ? null : forReaders(standsIn.trim()),
    synthetic: synthetic === 0 ? 'none' : synthetic === deciding.length ? 'all' : 'some',
  });
  return text === null ? [] : [`${text}.`];
}
