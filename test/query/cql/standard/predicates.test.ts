// The abstract tests of CQL2 (OGC 21-065r2, annex A) over their own dataset: each predicate of a class that is declared, in text and in
// JSON, finds as many features as the standard says.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CqlError, type Expression, type Scalar } from '../../../../query/cql/expression.ts';
import { readJson } from '../../../../query/cql/json.ts';
import { readText } from '../../../../query/cql/text.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import { toGeoJSON } from '../../../oracle/geojson.ts';
import { createFixture } from '../../release-fixture.ts';
import { featuresOf, naturalEarth, type Source } from './natural-earth.ts';

/** Lines of a table without its head. */
const linesOf = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'));

const PREDICATES = linesOf('predicates.tsv').map(([of, , source, predicate, count]) => ({
  class: of!,
  source: source as Source,
  predicate: predicate!,
  count: Number(count),
}));
const COMBINATIONS = linesOf('combinations.tsv');

let fixture: Awaited<ReturnType<typeof createFixture>>;
let engine: Engine;
beforeAll(async () => {
  const sources = ['countries', 'places', 'rivers'] as const;
  const layers = Object.fromEntries(sources.map(source => [source, [{ features: featuresOf(source) }]]));
  fixture = await createFixture([naturalEarth], { natural_earth: layers });
  engine = await createEngine({ home: fixture.home, workers: 1, queue: 100, memoryMb: 256, catalog: fixture.catalog });
});
afterAll(async () => {
  await engine?.close();
  fixture?.remove();
});

/** Ids of what passes a filter. */
async function passing(layer: Source, filter: Expression): Promise<Set<string>> {
  const rest = { boxes: null, mercator: false, limit: 1_000, most: 1e9, after: null };
  const of = { dataset: 'natural_earth', layer, filter, ...rest };
  const answer = await engine.features({ kind: 'page', of }, { deadline: Date.now() + 30_000 });
  if (!('page' in answer)) throw new Error(JSON.stringify(answer));
  return new Set((JSON.parse(answer.page.features) as { id: string }[]).map(({ id }) => id));
}

/** A filter as CQL2 JSON. */
function jsonOf(expression: Expression): unknown {
  const op = (name: string, ...args: readonly unknown[]) => ({ op: name, args });
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'not':
      return op('not', jsonOf(expression.of));
    case 'and':
    case 'or':
      return op(expression.kind, ...expression.all.map(jsonOf));
    case 'comparison':
      return op(expression.op, scalarJson(expression.left), scalarJson(expression.right));
    case 'like':
      return op('like', scalarJson(expression.of), scalarJson(expression.pattern));
    case 'between':
      return op('between', scalarJson(expression.of), scalarJson(expression.low), scalarJson(expression.high));
    case 'in':
      return op('in', scalarJson(expression.of), expression.list.map(scalarJson));
    case 'null':
      return op('isNull', scalarJson(expression.of));
    case 'relation':
      return op(expression.op, { property: 'geometry' }, toGeoJSON(expression.geometry));
  }
}
function scalarJson(scalar: Scalar): unknown {
  if (scalar.kind === 'property') return { property: scalar.name };
  if (scalar.kind === 'caseless') return { op: 'casei', args: [scalarJson(scalar.of)] };
  return scalar.kind === 'value' ? scalar.value : { [scalar.kind]: scalar.value };
}

/** A predicate of the standard, whose geometry is called otherwise, read in both forms, which must mean the same. */
function read(predicate: string): Expression {
  const text = readText(predicate.replace(/\bgeom\b/g, 'geometry'), 'geometry');
  expect(readJson(JSON.stringify(jsonOf(text)), 'geometry')).toEqual(text);
  return text;
}

describe.each([...new Set(PREDICATES.map(one => one.class))])('the predicates of %s', name => {
  it.each(PREDICATES.filter(one => one.class === name))('$source: $predicate', async ({ source, predicate, count }) => {
    expect((await passing(source, read(predicate))).size).toBe(count);
  });
});

it('combinations of four predicates find what the standard says', async () => {
  expect(COMBINATIONS.length).toBe(77);
  for (const [p1, p2, p3, p4, count] of COMBINATIONS) {
    const filter = `(NOT (${p2}) AND ${p1}) OR (${p3} and ${p4}) or not (${p1} OR ${p4})`;
    expect((await passing('places', read(filter))).size, filter).toBe(Number(count));
  }
});

it('combinations of other predicates are evaluated, and are those of the sets that each finds', async () => {
  for (const source of ['countries', 'places', 'rivers'] as const) {
    const own = PREDICATES.filter(one => one.source === source);
    const all = await passing(source, read('true'));
    for (let i = 0; i < 10; i++) {
      const four = [0, 1, 2, 3].map(n => own[(i * 7 + n * 13) % own.length]!.predicate);
      const [p1, p2, p3, p4] = four.map(one => `(${one})`);
      const sets = await Promise.all(four.map(one => passing(source, read(one))));
      const [n1, , , n4] = await Promise.all(four.map(one => passing(source, read(`NOT (${one})`))));
      const neither = await passing(source, read(`NOT (${p1} AND ${p4})`));
      const found = await passing(
        source,
        read(`((NOT ${p1} AND ${p2}) OR (${p3} and NOT ${p4}) or not (${p1} AND ${p4}))`),
      );
      const wanted = [...all].filter(
        id => (n1!.has(id) && sets[1]!.has(id)) || (sets[2]!.has(id) && n4!.has(id)) || neither.has(id),
      );
      expect(found, four.join(' | ')).toEqual(new Set(wanted));
      // What is neither true nor false of one of both is not true of their negation.
      expect([...neither].every(id => n1!.has(id) || n4!.has(id))).toBe(true);
    }
  }
});

/** A value of each type, as the standard has them. */
const VALUES = {
  string: "'foo'",
  number: '3.14',
  integer: '1',
  boolean: 'true',
  date: "DATE('2022-04-14')",
  timestamp: "TIMESTAMP('2022-04-14T14:48:46Z')",
} as const;
const queryables = (['countries', 'places', 'rivers'] as const).flatMap(source => {
  const layer = naturalEarth.layers[source]!;
  return Object.entries('columns' in layer ? layer.columns : {}).map(([name, { type }]) => ({ source, name, type }));
});

describe.each(queryables)('$source: the property $name', ({ source, name, type }) => {
  const find = (filter: string) =>
    passing(source, read(filter.replaceAll('{q}', `"${name}"`).replaceAll('{v}', VALUES[type])));
  const apart = (a: Set<string>, b: Set<string>) => expect([...a].filter(id => b.has(id))).toEqual([]);

  it('is compared with a value on either side', async () => {
    for (const [one, other] of [
      ['{q} = {v}', '{q} <> {v}'],
      ['{q} > {v}', '{q} <= {v}'],
      ['{q} < {v}', '{q} >= {v}'],
      ['{v} = {q}', '{v} <> {q}'],
      ['{v} > {q}', '{v} <= {q}'],
      ['{v} < {q}', '{v} >= {q}'],
      ['{q} IS NULL', '{q} is not null'],
    ] as const)
      apart(await find(one), await find(other));
  });

  it('is compared with itself', async () => {
    for (const op of ['<>', '<', '>']) expect((await find(`{q} ${op} {q}`)).size).toBe(0);
    const there = await find('{q} IS NOT NULL');
    for (const op of ['=', '>=', '<=']) expect(await find(`{q} ${op} {q}`)).toEqual(there);
  });

  it('takes LIKE, BETWEEN, IN and CASEI where its type does', async () => {
    if (type === 'string') {
      apart(await find("{q} like '_%'"), await find("{q} like ''"));
      expect(await find("{q} LIKE '%'")).toEqual(await find("{q} like '%%'"));
      expect((await find("{q} like '\\%\\_'")).size).toBe(0);
      expect(await find("CASEI({q}) = casei('foO')")).toEqual(await find("CASEI({q}) IN (casei('FOO'))"));
      expect(await find("CASEI({q}) LIKE casei('B%')")).toEqual(await find("CASEI({q}) LIKE casei('b%')"));
      await find("{q} in ('foo', 'bar')");
    } else if (type === 'number' || type === 'integer') {
      await find('{q} BETWEEN 0 AND 100');
      expect((await find('{q} between 100.0 and 1.0')).size).toBe(0);
      await find('{q} IN (1, 2, 3)');
    } else if (type === 'boolean') expect(await find('{q} in (true)')).toEqual(await find('{q} = true'));
    else if (type === 'date') await find("{q} in ('2022-04-14', '2022-04-15')");
    else await find("{q} in ('2022-04-14T14:52:56Z', '2022-04-14T15:52:56Z')");
  });
});

it('values are compared with values', async () => {
  for (const value of Object.values(VALUES)) {
    for (const op of ['<>', '<', '>']) expect((await passing('rivers', read(`${value} ${op} ${value}`))).size).toBe(0);
    for (const op of ['=', '>=', '<='])
      expect((await passing('rivers', read(`${value} ${op} ${value}`))).size).toBe(13);
  }
  expect((await passing('rivers', read('false'))).size).toBe(0);
  expect((await passing('rivers', read('true'))).size).toBe(13);
});

describe.each(['countries', 'places', 'rivers'] as const)('the geometry of %s', source => {
  const find = (call: string, literal: string) => passing(source, read(`${call}(geom,${literal})`));
  const WORLD = 'BBOX(-180,-90,180,90)';
  const RING = 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))';
  const OTHERS = ['LINESTRING(7 50, 10 51)', 'POINT(7.02 49.92)', 'MULTIPOINT(7 50,10 51)'];

  it('is related to boxes, areas, lines and points', async () => {
    for (const call of [
      'S_INTERSECTS',
      'S_DISJOINT',
      'S_TOUCHES',
      'S_CROSSES',
      'S_WITHIN',
      'S_CONTAINS',
      'S_EQUALS',
      'S_OVERLAPS',
    ]) {
      expect(await find(call, WORLD), call).toEqual(await find(call, RING));
      for (const literal of OTHERS) await find(call, literal);
    }
    expect((await find('S_DISJOINT', WORLD)).size).toBe(0);
    for (const literal of OTHERS) {
      const [met, apart] = [await find('S_INTERSECTS', literal), await find('S_DISJOINT', literal)];
      expect(met.size + apart.size).toBe((await find('S_INTERSECTS', WORLD)).size);
      expect([...met].filter(id => apart.has(id))).toEqual([]);
      const within = await find('S_WITHIN', literal);
      const both = [...(await find('S_CONTAINS', literal))].filter(id => within.has(id));
      expect(both).toEqual([]);
    }
  });

  it('is related to collections of geometries by what each of them is', async () => {
    const [a, b] = ['POINT(7.02 49.92)', 'POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))'];
    const all = `GEOMETRYCOLLECTION(${a}, ${b})`;
    const met = new Set([...(await find('S_INTERSECTS', a)), ...(await find('S_INTERSECTS', b))]);
    expect(await find('S_INTERSECTS', all)).toEqual(met);
    const rest = [...(await find('S_INTERSECTS', WORLD))].filter(id => !met.has(id));
    expect(await find('S_DISJOINT', all)).toEqual(new Set(rest));
  });
});

it('refuses other relations to collections of geometries', () => {
  expect(() => readText('S_WITHIN(geometry, GEOMETRYCOLLECTION(POINT(1 2), POINT(3 4)))', 'geometry')).toThrow(
    CqlError,
  );
});

it('features of every kind have their geometry as it was given', async () => {
  for (const source of ['countries', 'places', 'rivers'] as const) {
    const rest = { boxes: null, filter: null, mercator: false, limit: 1_000, most: 1e9, after: null };
    const of = { dataset: 'natural_earth', layer: source, ...rest };
    const answer = await engine.features({ kind: 'page', of }, { deadline: Date.now() + 30_000 });
    if (!('page' in answer)) throw new Error(JSON.stringify(answer));
    const found = (JSON.parse(answer.page.features) as { geometry: object }[]).map(one => JSON.stringify(one.geometry));
    const given = featuresOf(source).map(({ geometry }) => toGeoJSON(geometry));
    expect(found.length).toBe(given.length);
    // Rings may begin elsewhere and turn the other way, so that areas are told by their positions alone.
    const told = (text: string) =>
      [...text.matchAll(/\[(-?[\d.e-]+),(-?[\d.e-]+)\]/g)]
        .map(([all]) => all)
        .sort()
        .join();
    const types = (texts: readonly string[]) => texts.map(text => `${JSON.parse(text).type} ${told(text)}`).sort();
    expect(types(found)).toEqual(types(given.map(one => JSON.stringify(one))));
  }
});

it('the backslash escapes quotation marks and signs, and nothing else', () => {
  const value = (literal: string) => {
    const read = readText(`name = ${literal}`, 'geometry');
    return read.kind === 'comparison' && read.right.kind === 'value' ? read.right.value : null;
  };
  expect(value("'it''s'")).toBe("it's");
  expect(value("'it\\'s'")).toBe("it's");
  expect(value("'\\a\\b\\t\\n\\v\\f\\r'")).toBe('\u0007\b\t\n\v\f\r');
  // Those of a pattern stay for LIKE.
  expect(value("'100\\%\\_\\\\n'")).toBe('100\\%\\_\\\\n');
  expect(() => value("'open\\'")).toThrow(CqlError);
});
