import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../server/idempotency/canonical-json.ts';

/** Values with the names of all objects turned around. */
const turned = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, of]) => [name, turned(of)]),
  );
};

it('is one text for one value, which says that value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = canonicalJson(value);
      expect(canonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('is the text of which the digests of earlier requests are', () => {
  const value = { b: [1, { z: null, a: 'é\u0000"' }, [0.5, -1e-7]], aa: true, a: { Z: 1, _: 2, é: 3 } };
  expect(canonicalJson(value)).toBe(
    '{"a":{"Z":1,"_":2,"é":3},"aa":true,"b":[1,{"a":"é\\u0000\\"","z":null},[0.5,-1e-7]]}',
  );
});
