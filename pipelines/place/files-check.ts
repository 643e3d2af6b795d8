import { cadenceDays } from '../../datasets/cadence.ts';
import { catalog } from '../../datasets/catalog.ts';
import type { PlaceFile, PublishedAt } from '../../datasets/place/place.ts';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { declarationsOf, LocateError, locate } from '../../ingest/acquire/locate.ts';
import { filesOfPlace } from '../steps/acquire.ts';
import type { Checker } from './checker.ts';
import { checkFile } from './expression-check.ts';

/** Checks `files` of a place: the place must read each file, and its address can be made. Adds a problem for each fault. */
export function checkFiles(checker: Checker, place: PlaceFile): void {
  if (checker.problems.length > 0) return;
  const read = filesOfPlace(place);
  for (const [file, at] of Object.entries(place.files ?? {})) {
    const path = ['files', file];
    if (!checker.shape(PARTS.published, at, path)) continue;
    checkFile(checker, file, path);
    if (!read.has(file)) checker.add(path, `no layer, join or coverage of the place reads ${file}`, true);
    const published = at as PublishedAt;
    if ((published.dataset === undefined) === (published.url === undefined)) {
      checker.add(path, 'expected one of `dataset` and `url`');
      continue;
    }
    if (published.dataset !== undefined && !catalog.datasets.has(published.dataset)) {
      checker.add([...path, 'dataset'], `unknown dataset "${published.dataset}"`);
      continue;
    }
    if (published.cadence !== undefined)
      try {
        cadenceDays(published.cadence);
      } catch (error) {
        checker.add([...path, 'cadence'], (error as Error).message);
      }
    try {
      for (const source of declarationsOf(catalog, published)) locate(source, published, place);
    } catch (error) {
      if (!(error instanceof LocateError)) throw error;
      checker.add(path, error.message);
    }
  }
}
