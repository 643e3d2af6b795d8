import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ColumnExpression } from '../../../../datasets/place/place.ts';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { placeYaml } from '../../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { checkPlaceFiles } from '../../../../pipelines/place/trial/check.ts';
import { feature, folder, square, writeFiles } from '../../village.ts';

const sources = folder();
afterAll(() => rmSync(sources, { recursive: true, force: true }));

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Parcels in a row in Jefferson County, Colorado; one of them is a bow-tie. */
const lots = Array.from({ length: 200 }, (_, i) => {
  const ring = square(-105.1 + i * 0.0006, 39.7, 0.0005);
  if (i === 45) [ring[1], ring[2]] = [ring[2]!, ring[1]!];
  return feature('Polygon', [ring], {
    PIN: `49-${100 + i}-02-0${10 + (i % 37)}`,
    SCHEDULE: `R${300_000 + i * 13}`,
    PROPADDRES: i % 11 === 0 ? '0 UNKNOWN' : `${7000 + i * 2} W ALAMEDA AVE`,
    LASTUPDATE: i % 4 === 0 ? null : Date.UTC(1990 + (i % 30), i % 12, 1 + (i % 27)),
  });
});
const roll = lots.map(({ properties }, i) =>
  [
    properties.SCHEDULE,
    `$${((i + 1) * 1111).toLocaleString('en-US')}.00`,
    i % 5 ? ((i + 1) * 2345).toLocaleString('en-US') : '-',
    i % 4 === 0 ? '' : `${1 + (i % 28)}-${MONTHS[i % 12]}-${1995 + (i % 29)}`,
    `PO BOX ${i + 1}`,
    'LAKEWOOD',
  ].join('\t'),
);

let columns: Readonly<Record<string, ColumnExpression>>;
let place: ReturnType<typeof parsePlace>;
beforeAll(async () => {
  writeFiles(sources, { 'parcels.geojson': lots });
  const header = 'ACCOUNTNO\tLANDACTUAL\tIMPACTUAL\tSALEDT\tMAILADDR1\tMAILCITY';
  writeFileSync(join(sources, 'roll.txt'), `${[header, ...roll].join('\r\n')}\r\n`);
  const files = ['parcels.geojson', 'roll.txt'].map(name => join(sources, name));
  const made = await initPlace({ files, sources, name: 'jefferson-co', state: null, county: '08059' });
  place = parsePlace(placeYaml(made, 'place.yaml'), 'place.yaml');
  ({ columns } = place.layers[0]!);
});

it('reads money with marks, months by their names, milliseconds, boxes for addresses and words for nothing', () => {
  expect(columns).toMatchObject({
    landval: 'roll.LANDACTUAL',
    improvval: { from: 'roll.IMPACTUAL', null: ['-'] },
    mailadd: 'roll.MAILADDR1',
    address: { from: 'PROPADDRES', null: ['0 UNKNOWN'] },
  });
  const dates = Object.entries(columns).filter(([, e]) => typeof e === 'object' && e.dateFormat !== undefined);
  expect(
    new Map(dates.map(([, e]) => [(e as { from: string }).from, (e as { dateFormat: string }).dateFormat])),
  ).toEqual(
    new Map([
      ['roll.SALEDT', 'DD-MMM-YYYY'],
      ['LASTUPDATE', 'epoch ms'],
    ]),
  );
});

it('makes a place that passes its check, one rejected parcel notwithstanding', async () => {
  const { breaches, layers, missed } = await checkPlaceFiles({ place, sources, rows: null });
  expect([breaches, missed]).toEqual([[], []]);
  expect(layers.map(({ error, count }) => [error, count!.rejected, count!.written])).toEqual([[null, 1, 199]]);
});
