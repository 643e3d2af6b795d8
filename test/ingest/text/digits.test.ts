import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../ingest/text/json-numbers.ts';
import { readRows, scratch } from '../readers/scratch.ts';

const write = scratch();

/** Parcel numbers of 17 digits: as doubles nine become five. */
const NUMBERS = Array.from({ length: 9 }, (_, i) => `1234567890123456${i}`);
/** Values as GDAL 3.6 reads them of GeoJSON: a number with a point or an exponent is a double, a whole one has 64 bits. */
const AS_GDAL: readonly (readonly [json: string, read: unknown])[] = [
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['12345678901234567.0', 12345678901234568],
  ['1.2345678901234567e16', 12345678901234568],
  ['-68.777123456789012345', -68.77712345678901],
  ['"12345678901234567"', '12345678901234567'],
];

const pointsOf = (values: readonly string[]) =>
  values.map(v => `{"type":"Feature","properties":{"pin":${v}},"geometry":{"type":"Point","coordinates":[-68,44]}}`);
const collection = (values: readonly string[]) =>
  `{"type":"FeatureCollection","features":[${pointsOf(values).join(',')}]}`;

const FORMS: readonly (readonly [name: string, text: (values: readonly string[]) => string])[] = [
  ['a.geojson', collection],
  ['a.geojsonl', values => pointsOf(values).join('\n')],
  [
    'a.topojson',
    values =>
      `{"type":"Topology","arcs":[],"objects":{"lots":{"type":"GeometryCollection","geometries":[${values
        .map(v => `{"type":"Point","coordinates":[-68,44],"properties":{"pin":${v}}}`)
        .join(',')}]}}}`,
  ],
  ['a.table.json', values => `[["pin","name"],${values.map(v => `[${v},"x"]`).join(',')}]`],
];

describe('whole numbers beyond 2^53', () => {
  it.each(FORMS)('keep their digits in %s', async (name, text) => {
    const pins = async (values: readonly string[]) =>
      (await readRows(write(name, text(values)))).map(({ properties }) => properties.pin);
    expect(await pins(NUMBERS)).toEqual(NUMBERS);
    expect(await pins(AS_GDAL.map(([json]) => json))).toEqual(AS_GDAL.map(([, read]) => read));
    // Beside small ones in one column.
    expect(await pins(['7', NUMBERS[1]!, 'null', '"a"'])).toEqual([7, NUMBERS[1], null, 'a']);
  });

  it('keep them as the id of a feature, and inside nested values', async () => {
    const [pin] = NUMBERS;
    const text = `{"type":"Feature","id":${pin},"properties":{"owner":{"pins":[${pin},1.5]}},"geometry":null}`;
    const [row] = await readRows(write('one.geojson', text));
    expect(row!.properties).toEqual({ id: pin, owner: `{"pins":[${pin},1.5]}` });
    const topology = `{"type":"Topology","arcs":[],"objects":{"a":{"type":"Point","id":${pin},"coordinates":[1,2]}}}`;
    expect((await readRows(write('one.topojson', topology)))[0]!.properties).toEqual({ id: pin });
  });

  it('are coordinates where they stand as such', async () => {
    const [row] = await readRows(write('far.geojson', `{"type":"Point","coordinates":[${NUMBERS[0]},4]}`));
    expect([...row!.geometry!.xy]).toEqual([Number(NUMBERS[0]), 4]);
  });

  it('change nothing of a text without any', () => {
    const text = '{"a":[1.1234567890123456789,"1234567890123456789",{"b":1e400}]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});
