import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import type { PlaceLayer } from '../../../datasets/place/place.ts';
import { places } from '../../../datasets/places.ts';
import { compile } from '../../../query/evaluate/condition/condition.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';
import { gdal, NO_GDAL } from '../published.ts';

const ready = present && gdal;
if (!ready) console.warn(present ? NO_GDAL : MISSING);

/** Columns that may mark a row of each file: number, class and use. */
const MARKING: Readonly<Record<string, readonly string[]>> = {
  'bangor-me': ['MAPLOTUNIT', 'LAND_USE', 'BLDG_TYPE'],
  'forest-city-nc': ['PIN', 'MBL', 'Zoning'],
  'washington-dc': ['SSL', 'PROPTYPE', 'USECODE', 'LOT_TYPE'],
};

/** Rows of a published file as GDAL reads them: text by column. */
function rowsOf(file: string, columns: readonly string[]): Record<string, string>[] {
  const path = join(SOURCES, file);
  const open = file.endsWith('.zip') ? `/vsizip/${path}` : file.endsWith('.gz') ? `/vsigzip/${path}` : path;
  const text = execFileSync('ogr2ogr', ['-f', 'CSV', '-lco', 'SEPARATOR=TAB', '/vsistdout/', open], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const [head, ...lines] = text.trim().split('\n');
  const cells = (line: string) => line.split('\t').map(cell => cell.replaceAll('"', '').trim());
  const places = columns.flatMap(name => {
    const at = cells(head!).indexOf(name);
    return at < 0 ? [] : [[name, at] as const];
  });
  return lines.map(line => {
    const row = cells(line);
    return Object.fromEntries(places.map(([name, at]) => [name, row[at]!]));
  });
}

/** The name of a route, which is no number of a lot. */
const ROUTE = /^(?:I|US|ME|NC|SR|CR)-\d/;
/** A class of roads or of water. What a railroad owns and pays taxes for is a parcel, and so is a lot on a highway. */
const CLASS = /^(?:(?:PUBLIC )?(?:ROAD|STREET|HIGHWAY|ALLEY)S?|ROW|R\/W|RIGHTS?.OF.WAY|WATER|RIVER|LAKE|POND)$/i;

/** Whether a number without a digit or of a route, or a class, says that a row is no parcel. */
const isMarked = ([number, ...classes]: readonly string[]): boolean =>
  (number !== '' && !/\d/.test(number!)) || ROUTE.test(number!) || classes.some(text => CLASS.test(text));

describe.skipIf(!ready)('every place whose parcels were published', { tags: ['GDAL', 'published-files'] }, () => {
  const parcelsOf = (layers: readonly PlaceLayer[]) => layers.filter(({ dataset }) => dataset === 'parcel_store');
  const built = [...places.values()].filter(({ synthetic, layers }) => !synthetic && parcelsOf(layers).length > 0);

  it('was looked at', () => {
    expect(built.map(({ name }) => name)).toEqual(Object.keys(MARKING));
  });

  it.each(built)(
    'names each row that its publisher marks as no parcel, and none else: $name',
    ({ name, layers }) => {
      const found: string[] = [];
      for (const { file, ground = [] } of parcelsOf(layers)) {
        const tests = ground.map(({ where }) => compile(parseCondition(where), '2026-01-01'));
        for (const row of rowsOf(file, MARKING[name]!)) {
          const values = MARKING[name]!.flatMap(column => row[column] ?? []);
          const isGround = tests.some(test => test(row));
          expect([file, values, isGround]).toEqual([file, values, isMarked(values)]);
          if (isGround) found.push(values[0]!);
        }
      }
      expect([name, found.length]).toEqual([name, name === 'bangor-me' ? 67 : 0]);
    },
    120_000,
  );
});
