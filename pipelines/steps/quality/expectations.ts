import { catalog, layerOf } from '../../../datasets/catalog.ts';
import { expectationOf } from '../../../datasets/place/expectation.ts';
import type { Place } from '../../../datasets/place/place.ts';
import type { IngestCount, Manifest } from '../../../datasets/release.ts';
import { countsOfPlace } from '../../../query/release/lists/layer-lists.ts';
import { NATIONAL } from '../../release/manifest.ts';
import { type Choice, EVERYTHING, takes } from '../chosen.ts';
import { absolute } from './absolute.ts';
import type { Breach } from './breach.ts';
import type { Built } from './built.ts';
import type { Found } from './found.ts';
import type { Examples } from './measure.ts';
import { relative, sumOf } from './relative.ts';
import { isOlder } from './vintage.ts';

/** Returns the files of a layer by name and occurrence, because one file may fill a layer twice. */
function byFile(counts: readonly IngestCount[]): Map<string, IngestCount> {
  const files = new Map<string, IngestCount>();
  for (const count of counts) {
    let key = count.file;
    for (let n = 2; files.has(key); n++) key = `${count.file} ${n}`;
    files.set(key, count);
  }
  return files;
}

/** Collects the breaches of one place, one for each key and file. A fault of the file alone comes before a difference. */
class Breaches {
  readonly list: Breach[] = [];
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
  }

  add(layer: string, file: string, measure: string, found: Found, examples: Examples = {}): void {
    const { column = null, rows = null, what } = found;
    const key = [this.#place, layer, measure, ...(column === null ? [] : [column])].join('/');
    if (this.list.some(b => b.key === key && b.file === file)) return;
    const shown = examples[column === null ? measure : `${measure}/${column}`] ?? [];
    this.list.push({ key, file, layer, column, rows, what, examples: shown });
  }
}

/**
 * Returns every expectation that the files of a place do not meet, compared with the current release. A layer with the same files
 * as before is compared file by file, otherwise by the sum of its files.
 * @param previous null if nothing was published yet; then only the absolute expectations count.
 * @param choice the layers that were built.
 */
export function breachesOf(
  place: Pick<Place, 'name'>,
  built: readonly Built[],
  previous: Manifest | null,
  choice: Choice = EVERYTHING,
): Breach[] {
  const breaches = new Breaches(place.name);
  const before = Map.groupBy(
    previous ? countsOfPlace(previous, place.name).filter(({ dataset, layer }) => takes(choice, dataset, layer)) : [],
    c => `${c.dataset}:${c.layer}`,
  );
  const layers = Map.groupBy(built, b => `${b.layer.dataset}:${b.layer.layer}`);
  for (const [name, files] of layers) {
    const { dataset, layer } = files[0]!.layer;
    const base = layerOf(catalog.datasets, dataset, layer).expect;
    const expected = files.map(b => expectationOf(base, b.layer.expect));
    for (const [i, b] of files.entries())
      for (const [measure, found] of absolute(b, expected[i]!))
        breaches.add(name, b.layer.file, measure, found, b.examples);

    const old = byFile(before.get(name) ?? []);
    const counts = files.map(b => b.count);
    const fresh = [...byFile(counts).keys()];
    const same = old.size === fresh.length && fresh.every(file => old.has(file));
    if (same)
      for (const [i, { count, examples }] of files.entries())
        for (const [measure, found] of relative(sumOf([count]), sumOf([old.get(fresh[i]!)!]), expected[i]!))
          breaches.add(name, count.file, measure, found, examples);
    else if (old.size > 0)
      for (const [measure, found] of relative(sumOf(counts), sumOf([...old.values()]), expected[0]!))
        breaches.add(name, counts.map(c => c.file).join(', '), measure, found);

    // A national file replaces the present one, whatever place brought that.
    if (files[0]!.layer.national)
      for (const { place, provenance } of previous?.datasets[dataset]?.[layer]?.partitions ?? []) {
        const { file, provenance: now } = files[0]!.layer;
        if (place === NATIONAL && files.every(f => isOlder(f.layer.provenance.vintage, provenance.vintage)))
          breaches.add(name, file, 'vintage', {
            what: `its vintage ${now.vintage} is older than ${provenance.vintage} of the last release`,
          });
      }
  }
  for (const [name, counts] of before)
    if (!layers.has(name))
      breaches.add(name, counts.map(c => c.file).join(', '), 'rows', {
        rows: 0,
        what: `the place has no such layer any more; ${sumOf(counts).stored} rows were in the last release`,
      });
  return breaches.list;
}
