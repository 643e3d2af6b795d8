import { expect, it } from 'vitest';
import { jsonOf, WrittenJson } from '../../../server/http/written-json.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const lists = [
  [
    [
      [-70.1, 43.25],
      [0, 1e-7],
    ],
  ],
  [['ü', '🌲']],
];

it('is what JSON.stringify writes of the values themselves', () => {
  const first = new WrittenJson(bytesOf(lists));
  const plain = { type: 'x', features: [{ coordinates: lists }, { coordinates: 5 }], at: 'ñ', last: lists };
  const written = {
    ...plain,
    features: [{ coordinates: first }, { coordinates: new WrittenJson(bytesOf(5)) }],
    last: first,
  };
  expect(JSON.stringify(written)).toBe(JSON.stringify(plain));
  const text = jsonOf(written);
  expect(Buffer.isBuffer(text)).toBe(true);
  expect(text.toString()).toBe(JSON.stringify(plain));
  expect(structuredClone(JSON.parse(text.toString()))).toEqual(plain);
});

it('is the text of JSON.stringify where nothing was written before', () => {
  expect(jsonOf({ a: [1, null, 'x'] })).toBe('{"a":[1,null,"x"]}');
  expect(jsonOf('x')).toBe('"x"');
});

it('writes the beginning alone for who reads no more', () => {
  const long = new WrittenJson(bytesOf('x'.repeat(1_000)));
  const text = jsonOf({ long, b: 1 }, 20).toString();
  expect(text.slice(0, 28)).toBe(JSON.stringify({ long: 'x'.repeat(1_000) }).slice(0, 28));
  expect(text.length).toBeLessThan(60);
});

it('frees the memory of the texts with the whole answer, and not where the beginning alone is read', () => {
  const long = new WrittenJson(bytesOf('x'.repeat(100_000)));
  jsonOf({ long }, 20);
  expect(long.bytes.buffer.byteLength).toBe(100_002);
  jsonOf({ long });
  expect(long.bytes.buffer.byteLength).toBe(0);
});

it('takes nothing that was sent for a text of its own', () => {
  const seen = new WrittenJson(bytesOf([1]));
  const mark = /written-json-[\w-]+/.exec(JSON.stringify({ a: seen }));
  expect(mark).toBeNull();
  const failing = {
    seen,
    toJSON: () => {
      throw new RangeError('not this one');
    },
  };
  expect(() => jsonOf([seen, failing])).toThrow('not this one');
  expect(JSON.stringify({ seen })).toBe('{"seen":[1]}');
});
