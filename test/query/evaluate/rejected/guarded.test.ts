import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfidenceRule } from '../../../../datasets/dataset.ts';
import { boxOf, type Geometry } from '../../../../datasets/geometry.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import type { Batch, Context, Operator, Question } from '../../../../query/evaluate/context.ts';
import { openPoint } from '../../../../query/evaluate/evaluate.ts';
import { type Finding, failed, found } from '../../../../query/evaluate/finding.ts';
import { kindOfReason } from '../../../../query/evaluate/rejected/columns.ts';
import { absentFor, guarded, lostOn } from '../../../../query/evaluate/rejected/guarded.ts';
import type { Rejected } from '../../../../query/evaluate/rejected/rejected.ts';
import { searchOf } from '../../../../query/evaluate/vector/vector-search.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, rectangle } from '../../release-fixture.ts';

const columns = { zone: { type: 'string' } } as const;
const layer = { kind: 'vector', geometry: 'polygon', joinKey: null, partition: 'county', columns } as const;
const sourceOf = (of: string) => ({ dataset: 'things', layer: of, where: null });

let fixture: Fixture;
beforeAll(async () => {
  const rejected = [{ geometry: rectangle([10, 40, 10.01, 40.01]), reason: 'a bow-tie' }];
  fixture = await createFixture([dataset('things', { main: layer, clean: layer })], {
    things: {
      main: [
        { key: 'a', place: 'first', features: [] },
        { key: 'b', place: 'second', features: [], rejected },
      ],
      clean: [{ features: [] }],
    },
  });
});
afterAll(() => fixture.remove());

/** How often a file beside features was opened. */
let opened = 0;
function at(lng: number, lat: number): Context {
  const release = openRelease(fixture.home);
  const layers = new Layers(release, createCache(64));
  const beside = layers.beside.bind(layers);
  layers.beside = (partition, role) => {
    opened++;
    return beside(partition, role);
  };
  const evaluation = { release, catalog: fixture.catalog, cache: createCache(64), deadline: Date.now() + 60_000 };
  return openPoint({ lng, lat }, evaluation, layers).ctx;
}

describe('an operator over a layer with rejected rows', () => {
  const rule: ConfidenceRule = { kind: 'const', level: 'medium' } as ConfidenceRule;
  const question = { rule, type: 'number', unit: null, precision: null } as Question;
  const callOf = (layer: string | null) =>
    ({ sources: layer === null ? [] : [sourceOf(layer)], where: null, options: {} }) as unknown as Expression;
  const own = found(7, 'high', []);
  const asked: Finding[] = [];
  const loss = { reason: 'it was rejected', metres: 0 } as Rejected;
  const operatorOf = (finding: Finding, rejects = true) =>
    guarded(
      {
        name: 'count_within',
        point: () => finding,
        bulk: async (batch: Batch) => batch.contexts.map(() => finding),
      } as unknown as Operator,
      async (_ctx, _call, search, given) => {
        asked.push(given);
        return rejects ? { ...loss, partition: search.partitions.all[0]! } : null;
      },
    );
  const both = async (operator: Operator, layer: string | null, ctx = at(10, 40)) => {
    const batch = { contexts: [ctx, at(11, 41)], layers: ctx.layers, check() {} } as unknown as Batch;
    asked.length = 0;
    const one = await operator.point(ctx, callOf(layer), question);
    const many = await operator.bulk(batch, callOf(layer), question);
    expect(many).toEqual([one, one]);
    return one;
  };

  it('answers nothing where one may change the answer, as sure as its rule is', async () => {
    const lost = await both(operatorOf(own), 'main');
    expect(lost).toMatchObject({
      status: 'absent',
      confidence: 'medium',
      notes: ['it was rejected'],
      citations: [{ source: 'source_of_first' }],
    });
    expect(asked).toEqual([own, own, own]);
    const partition = openRelease(fixture.home).layer('things', 'main')!.partitions[1]!;
    expect(absentFor({ ...loss, partition }, { rule })).toMatchObject({ citations: [{ source: 'source_of_second' }] });
  });

  it('answers as it found where none may, and is not asked again where none was rejected', async () => {
    expect(await both(operatorOf(own, false), 'main')).toBe(own);
    expect(asked).toHaveLength(3);
    expect(await both(operatorOf(own), 'clean')).toBe(own);
    expect(await both(operatorOf(own), null)).toBe(own);
    expect(asked).toEqual([]);
  });

  it('leaves what failed, and what lies beyond the coverage, as it is', async () => {
    const fault = failed(new Error('no file'));
    expect(await both(operatorOf(fault), 'main')).toBe(fault);
    expect(asked).toEqual([]);
  });
});

it('a rejected row on some ground makes an answer about it absent, with the confidence given', async () => {
  const ctx = at(0, 0);
  const lost = async (layer: string, geometry: Geometry) =>
    lostOn(
      ctx,
      sourceOf(layer),
      await searchOf(ctx, sourceOf(layer), null),
      null,
      { geometry, box: boxOf(geometry) },
      'medium',
    );
  expect(await lost('main', rectangle([10, 40, 10.01, 40.01]))).toMatchObject({
    status: 'absent',
    confidence: 'medium',
    notes: ['one of the things (source_of_second) here was rejected: a bow-tie'],
    citations: [{ source: 'source_of_second' }],
  });
  expect(await lost('main', rectangle([0, 0, 1, 1]))).toBeNull();
  opened = 0;
  expect(await lost('clean', rectangle([10, 40, 10.01, 40.01]))).toBeNull();
  expect(opened).toBe(0);
});

it('reasons are of one kind whatever their numbers, quoted values and spaces', () => {
  const kinds = [
    ['column saledate: "last spring" is no date', 'column saledate: "…" is no date'],
    ['"a" and "bc"', '"…" and "…"'],
    ['Self-intersection[-68.8985 44.1005]', 'Self-intersection[N N]'],
    ['12 of 3.25e-7 or 1E12', 'N of N or N'],
    ['a \n\t b', 'a b'],
  ];
  for (const [reason, kind] of kinds) expect(kindOfReason(reason!)).toBe(kind);
});
