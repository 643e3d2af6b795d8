import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { joinsOf } from '../../../datasets/place/place.ts';
import { places } from '../../../datasets/places.ts';

const folder = new URL('../../../../shared/data/', import.meta.url);
const present = existsSync(new URL('SOURCES.md', folder));
if (!present) console.warn('skipped: the published files are not in ../shared/data');

/** Lines that SOURCES.md counts as rows of a CSV though they belong to its preamble or to a second header line. */
const NO_ROWS: Readonly<Record<string, number>> = {
  'national/county_unemployment_income_2007_2018.csv.gz': 4,
  'national/epa_superfund_npl.csv': 1,
  // One row more than GDAL counts: it has no geometry.
  'forest-city-nc/parcels.topojson': -1,
};

/** Files that are published for the whole world; the copy here is a part of them, and its rows are no expectation. */
const PARTS = ['national/time_zones_us.geojson.gz'];

/** file → features or rows, from the tables of SOURCES.md; rasters tell their size instead. */
function counts(): Map<string, string> {
  const lines = readFileSync(new URL('SOURCES.md', folder), 'utf8').split('\n');
  return new Map(
    lines
      .filter(line => /^\| [a-z]/.test(line))
      .map(line => line.split('|').map(cell => cell.trim()))
      .map(cells => [cells[1]!, cells[8]!]),
  );
}

describe('places against the published files', { tags: ['published-files'] }, () => {
  const told = present ? counts() : new Map<string, string>();
  // The synthetic area is generated, not published.
  const published = [...places.values()].filter(place => !place.synthetic);
  const layers = published.flatMap(place =>
    place.layers.map(layer => ({ name: `${place.name} ${layer.dataset}:${layer.layer}`, layer })),
  );

  it.each(layers)('$name reads a file that is there, whole', ({ layer }) => {
    expect(existsSync(new URL(layer.file, folder))).toBe(true);
    const count = told.get(layer.file);
    expect(count).toBeDefined();
    if (/px/.test(count!) || PARTS.includes(layer.file)) expect(layer.expectRows).toBeUndefined();
    else expect(layer.expectRows).toBe(Number(count) - (NO_ROWS[layer.file] ?? 0));
  });

  it.each(published)('$name names joined and coverage files that are there', place => {
    const coverages = [place.coverage, ...place.layers.map(layer => layer.coverage)];
    const files = [
      ...coverages.flatMap(coverage => (coverage && 'file' in coverage ? [coverage.file] : [])),
      ...place.layers.flatMap(layer => joinsOf(layer).map(join => join.file)),
    ];
    expect(files.filter(file => !existsSync(new URL(file, folder)))).toEqual([]);
  });
});
