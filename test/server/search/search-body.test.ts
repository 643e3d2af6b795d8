import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { EngineStatus } from '../../../query/engine/engine-interface.ts';
import { Coordinates } from '../../../query/search/page/coordinates.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { parseJson } from '../../../server/http/json.ts';
import { ReleaseChoice } from '../../../server/release/choice.ts';
import { parseSearchBody } from '../../../server/search/body.ts';
import { searchParcels } from '../../../server/search/operation.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** Bodies shorter than a kilobyte are parsed as all others are. */
const PADDING = `"${'x'.repeat(1024)}"`;
const padded = (members: string) => Buffer.from(`{"pad":${PADDING},${members}}`);

/** A value with lists in place of coordinates, and how many there were. */
function plain(value: unknown): { value: unknown; read: number } {
  let read = 0;
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, each) {
    // What stands there, of which JSON.stringify has made lists already.
    if (this[key] instanceof Coordinates) read++;
    return Object.is(each, -0) ? '-0' : each;
  });
  return { value: JSON.parse(text), read };
}

function outcome(parse: () => unknown): unknown {
  try {
    return plain(parse()).value;
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

const AREA = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}';
const filters = (...values: string[]) =>
  `"filters":[${values.map(v => `{"field":"geometry","value":${v}}`).join(',')}]`;

describe('the body of a search', () => {
  it('keeps coordinates of areas as they were read', () => {
    const body = parseSearchBody(padded(filters(AREA, AREA.replace('[1,1]', '[1 , 2.5]'))));
    expect(plain(body).read).toBe(2);
    expect(plain(body).value).toEqual(plain(parseJson(padded(filters(AREA, AREA.replace('[1,1]', '[1,2.5]'))))).value);
  });

  it.each([
    ['a short body', Buffer.from(`{${filters(AREA)}}`)],
    ['coordinates that are none', padded(filters('{"type":"Polygon","coordinates":[[[0,0],[1,0,5]]]}'))],
    ['numbers in their place', padded(filters('{"coordinates":0}'))],
    ['numbers in the place of others', padded(filters('{"coordinates":0}', AREA))],
    ['a number whose name is written otherwise', padded(filters('{"coordin\\u0061tes":0}', AREA))],
    ['one deeper than any area', padded(`"a":{"b":[[[[[${AREA}]]]]]}`)],
    ['an object with places of its own order', padded(`"a":{"b":${AREA},"1":${AREA.replace('[1,1]', '[7,7]')}}`)],
    ['text', padded(`"a":"coordinates","b":"\\"coordinates\\":[[[0,0]]]","c\\"coordinates":[[[0,0]]]`)],
  ])('is left to the parser of all bodies: %s', (_, bytes) => {
    const body = parseSearchBody(bytes);
    expect(plain(body).read).toBe(0);
    expect(body).toEqual(parseJson(bytes));
  });

  it.each(['e0', '5', '.5', ' 5', ']', ',', '"', ',"coordinates":[[[0,0]]]'])(
    'is refused where %j stands behind coordinates',
    behind => {
      const bytes = padded(filters(AREA.replace(/\}$/, `${behind}}`)));
      expect(() => parseJson(bytes)).toThrow();
      expect(() => parseSearchBody(bytes)).toThrow();
    },
  );

  it('is what the parser of all bodies makes of it, whatever is spoilt', () => {
    const sound = padded(filters(AREA, '{"type":"MultiPolygon","coordinates":[[[[0.1,-0.2],[3e1,4],[5,6]]]]}', '5'));
    const bits = '[]{},:".-+eE0159 \\ntx\n\u0000\u00ff';
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({ min: 1030, max: sound.length }),
            fc.nat(3),
            fc.constantFrom('', ...bits, '[[', ']]', ' 0'),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        changes => {
          let text = sound.toString('latin1');
          for (const [at, cut, put] of changes) text = text.slice(0, at) + put + text.slice(at + cut);
          const bytes = Buffer.from(text, 'latin1');
          expect(outcome(() => parseSearchBody(bytes))).toEqual(outcome(() => parseJson(bytes)));
        },
      ),
      { numRuns: LONG ? 20_000 : 4_000, seed: 3 },
    );
  });
});

it('the memory of areas is given back once the engine has answered, or could not', async () => {
  const value = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  };
  const state = { field: 'state', op: 'eq', value: 'ME' };
  const answers = [async () => ({ issues: [] }), () => Promise.reject(new Error('no worker'))];
  for (const answer of answers) {
    const seen: Float64Array[] = [];
    const lengths: number[] = [];
    const engine = {
      parcelColumns: () => new Set<string>(),
      status: () => ({ release: null }) as EngineStatus,
      search({ filters: { areas } }: SearchRequest) {
        for (const { geometry } of areas) {
          seen.push(geometry.xy);
          lengths.push(geometry.xy.length);
        }
        return answer();
      },
    };
    const searched = searchParcels(
      { requestId: 'r', account: null, catalog, engine, release: new ReleaseChoice(engine) } as never,
      { cursors: {}, maxVertices: 10 } as never,
      { filters: [state, { field: 'geometry', op: 'within', value }] },
    );
    await expect(searched).rejects.toThrow();
    expect(lengths).toEqual([8]);
    expect(seen[0]!.buffer.byteLength).toBe(0);
  }
});
