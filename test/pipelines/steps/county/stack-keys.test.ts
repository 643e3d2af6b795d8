import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputRow } from '../../../../ingest/writer.ts';
import { createFlatGeobuf } from '../../../../ingest/writers/flatgeobuf.ts';
import { Parcels } from '../../../../pipelines/steps/county/parcels.ts';
import { stackKeys } from '../../../../pipelines/steps/county/stack-pairs.ts';
import { polygonsToGeometry } from '../../../../query/geometry/geos.ts';
import { folder, square } from '../../village.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A row as its publisher has it: what it is, beside the order in which it comes. */
interface Unit {
  readonly apn: string | null;
  /** Which of some squares is its ground. */
  readonly ground: number;
  readonly owner: string;
  readonly parval: number;
  readonly id: number | null;
}

const COLUMNS = {
  apn: { type: 'string' },
  owner: { type: 'string' },
  parval: { type: 'number' },
  parcel_key: { type: 'string' },
} as const;
const groundOf = (n: number) => polygonsToGeometry([[Float64Array.from(square(-68.8 + 0.01 * n, 44.8, 0.001).flat())]]);

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let runs = 0;

/** One edition after another of a county, each stored beside what the one before left. */
class County {
  #path: string | null = null;
  #ended: string[] = [];
  #stacks: string[] = [];

  /** @returns the content of each key. */
  async publish(units: readonly Unit[]): Promise<Map<string, string>> {
    const before = this.#path === null ? [] : [{ path: this.#path, of: 'parcels', parts: [null] }];
    const name = join(home, `edition${runs++}`);
    const parcels = await Parcels.create(name, { county: '23019' }, before, this.#ended, this.#stacks);
    const file = await createFlatGeobuf(`${name}.fgb`, {
      name: 'parcels',
      columns: COLUMNS,
      order: 'input',
      durable: false,
    });
    for (const { apn, ground, owner, parval, id } of units)
      expect(
        parcels.add(
          { properties: { apn, owner, parval }, geometry: groundOf(ground) },
          id === null ? null : String(id),
        ),
      ).toBeNull();
    const contents = new Map<string, string>();
    for await (const { properties, geometry } of parcels.rows()) {
      const { apn = null, owner = null, parval = null, parcel_key = null } = properties;
      await file.write({ properties: { apn, owner, parval, parcel_key }, geometry } as OutputRow);
      expect(contents.has(String(parcel_key)), `${parcel_key} twice`).toBe(false);
      contents.set(String(parcel_key), JSON.stringify([apn, owner, parval, [...geometry!.xy]]));
    }
    await file.finish();
    const pathOf = async (staged: ReturnType<Parcels['ended']>) => [await staged].flatMap(file => file?.path ?? []);
    [this.#ended, this.#stacks, this.#path] = [
      await pathOf(parcels.ended(`${name}.ended`)),
      await pathOf(parcels.stacks(`${name}.stacks`)),
      `${name}.fgb`,
    ];
    parcels.close();
    return contents;
  }
}

const countsOf = (contents: Iterable<string>) =>
  new Map([...Map.groupBy(contents, content => content)].map(([content, all]) => [content, all.length]));

/** Fails when a row that both editions have as it is changed its key, or a key that ended was given again. */
function expectSteady(was: Map<string, string>, now: Map<string, string>): void {
  const before = countsOf(was.values());
  const steady = countsOf([...now].filter(([key, content]) => was.get(key) === content).map(([, content]) => content));
  for (const [content, count] of countsOf(now.values()))
    expect([content, steady.get(content) ?? 0]).toEqual([content, Math.min(count, before.get(content) ?? 0)]);
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map(item => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

describe('a row that did not change keeps its key', () => {
  it('where only a third one of its number changes, whatever their ids', async () => {
    const county = new County();
    const unit = (id: number, owner: string, ground = 0): Unit => ({ apn: '7', ground, owner, parval: 1, id });
    const was = await county.publish([unit(964, 'A'), unit(9003, 'B'), unit(5, 'C', 1)]);
    const now = await county.publish([unit(964, 'A'), unit(9003, 'B'), unit(5, 'D', 1)]);
    expect([...now].filter(([key, content]) => was.get(key) !== content).map(([key]) => key)).toEqual(['23019:7:o5']);
  });

  // How ids are: lasting and across a digit boundary, those of the rows of a file, none.
  it.each(['lasting', 'anew', 'none'] as const)(
    'in stacks of 2 to 200 that change from edition to edition, ids: %s',
    async ids => {
      const random = randomOf(['lasting', 'anew', 'none'].indexOf(ids) + 1);
      const pick = (n: number) => Math.floor(random() * n);
      let next = 93;
      const unit = (apn: string | null, ground: number): Unit => ({
        ...{ apn, ground, owner: `owner ${pick(12)}`, parval: pick(3) },
        id: ids === 'none' ? null : next++,
      });
      const numbered = (units: readonly Unit[]) =>
        ids === 'anew' ? units.map((one, i) => ({ ...one, id: i + 1 })) : units;
      let units = [2, 3, 11, 200].flatMap((size, stack) =>
        Array.from({ length: size }, () => unit(stack === 1 ? null : String(stack), stack)),
      );
      const county = new County();
      let was = await county.publish(numbered(units));
      for (let edition = 0; edition < 3; edition++) {
        const gone = shuffled(units, random).slice(0, 6);
        units = units.filter(one => !gone.includes(one));
        units = units.map(one => (random() < 0.05 ? { ...one, owner: `buyer ${edition} ${pick(3)}` } : one));
        units.push(...Array.from({ length: 6 }, () => unit(String(pick(4)), pick(4))));
        units = shuffled(units, random);
        const now = await county.publish(numbered(units));
        expect(now.size).toBe(units.length);
        expectSteady(was, now);
        was = now;
      }
    },
  );
});

describe('pairs of a stack', () => {
  const row = (objectId: string | null, values: Record<string, string>) => ({
    objectId,
    values: new Map(Object.entries(values)),
  });
  const held = (key: string, objectId: string | null, values: Record<string, string>) => ({
    ...row(objectId, values),
    key,
    isGone: false,
  });

  it('are told by id where values changed, by values where ids are given anew', () => {
    const [a, b] = [held('a', '9', { owner: 'A', unit: '1' }), held('b', '10', { owner: 'B', unit: '2' })];
    const sold = [row('10', { owner: 'A', unit: '3' }), row('9', { owner: 'C', unit: '4' })];
    expect(stackKeys([a, b], sold)).toEqual({ keys: ['b', 'a'], rankedRows: new Set(), rankedKeys: [] });
    const anew = [row('9', { owner: 'B', unit: '2' }), row('10', { owner: 'A', unit: '1' })];
    expect(stackKeys([a, b], anew).keys).toEqual(['b', 'a']);
    const worth = [row(null, { owner: 'B', unit: '7' }), row(null, { owner: 'A', unit: '8' })];
    expect(stackKeys([a, b], worth)).toEqual({ keys: ['b', 'a'], rankedRows: new Set(), rankedKeys: [] });
  });

  it('are told by order last, which is said of each of them', () => {
    const twins = [held('a:10', null, { owner: 'A' }), held('a:2', null, { owner: 'A' })];
    expect(stackKeys(twins, [row(null, { owner: 'A' }), row(null, { owner: 'A' })]).rankedRows.size).toBe(0);
    // One of two equal ones was sold: which one, nobody can say.
    const sold = stackKeys(twins, [row(null, { owner: 'B' }), row(null, { owner: 'A' })]);
    expect(sold).toEqual({ keys: ['a:10', 'a:2'], rankedRows: new Set([0]), rankedKeys: [] });
    expect(stackKeys(twins, [row(null, { owner: 'A' })])).toEqual({
      keys: ['a:2'],
      rankedRows: new Set(),
      rankedKeys: ['a:10'],
    });
  });
});
