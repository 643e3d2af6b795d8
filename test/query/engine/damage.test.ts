import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { type Damage, DamageNews } from '../../../query/engine/damage.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { logDamage } from '../../../server/damage-log.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../release-fixture.ts';

const layer: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'GEOID',
  partition: 'national',
  columns: { GEOID: { type: 'string' } },
};
const datasets = ['census_tiger', 'sites'].map(id =>
  dataset(id, { main: layer }, { [`${id}_id`]: field(`polygon_attr(${id}, GEOID)`, { type: 'string' }) }),
);
const features = (GEOID: string) => ({ main: [{ features: [{ geometry: rectangle([0, 0, 1, 1]), GEOID }] }] });
const spec = (GEOID: string) => ({ census_tiger: features('23019'), sites: features(GEOID) });
const inside = { lng: 0.5, lat: 0.5 };

let fixture: Fixture;
let engine: Engine;
const warned: string[] = [];
beforeAll(async () => {
  fixture = await createFixture(datasets, spec('a'));
  const warn = (message: string) => warned.push(message);
  engine = await createEngine({
    home: fixture.home,
    workers: 2,
    queue: 9,
    memoryMb: 64,
    catalog: fixture.catalog,
    warn,
  });
});
afterAll(async () => {
  await engine.close();
  fixture.remove();
});

const damage = () => engine.status().damage;
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i === 400) throw new Error(`the condition never came true: ${JSON.stringify(engine.status())}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
/** The checker looks at small files every five seconds, and at once when another release becomes current. */
const look = async (id: string) => {
  await fixture.publish(spec(id), id);
  await until(() => engine.status().release === id);
};

describe('the engine', () => {
  it('says which layers its workers have opened', async () => {
    const all = ['census_tiger:main', 'sites:main'];
    expect(engine.status().warm).toEqual({ loaded: all, on_demand: [] });
    await look('r2');
    expect(engine.status().warm).toEqual({ loaded: ['census_tiger:main'], on_demand: ['sites:main'] });
  });

  it('names files that are damaged before anybody asks for them, with their layers, until they are repaired', async () => {
    expect(damage()).toEqual([]);
    const path = fixture.path('sites', 'main', 'features');
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[bad.length - 5]! ^= 0xff;
    for (const [broken, problem] of [
      [() => writeFileSync(path, bad), 'its bytes do not have the checksum of the release'],
      [() => writeFileSync(path, good.subarray(0, 100)), `it holds 100 bytes, expected ${good.length}`],
      [() => rmSync(path), 'it is missing'],
    ] as const) {
      broken();
      await until(() => damage().some(one => one.problem === problem));
      expect(damage()).toEqual([
        { file: expect.stringMatching(/^features file [0-9a-f]{12}$/), layers: ['sites:main'], problem },
      ]);
    }
    const answers = await engine.fetch(['census_tiger_id', 'sites_id'], inside, { deadline: Date.now() + 20_000 });
    expect([answers.census_tiger_id!.status, answers.sites_id!.status]).toEqual(['ok', 'failed']);
    writeFileSync(path, good);
    await until(() => damage().length === 0);
  });

  it('says that the manifest is gone or damaged, which a restart would need, and goes on', async () => {
    const path = `${fixture.home}/releases/r2.json`;
    const good = readFileSync(path);
    for (const [broken, problem] of [
      [() => rmSync(path), /^it is missing$/],
      [() => writeFileSync(path, good.subarray(0, 100)), /JSON/],
    ] as const) {
      broken();
      await until(() => damage().some(one => problem.test(one.problem)));
      expect(damage()).toEqual([{ file: 'manifest', layers: [], problem: expect.stringMatching(problem) }]);
    }
    const answers = await engine.fetch(['sites_id'], inside, { deadline: Date.now() + 20_000 });
    expect(answers.sites_id!.status).toBe('ok');
    writeFileSync(path, good);
    await until(() => damage().length === 0);
  });

  it('says that `current` is gone, and goes on', async () => {
    const path = `${fixture.home}/releases/current`;
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    await until(() => damage().length > 0);
    expect(damage()).toEqual([{ file: 'current', layers: [], problem: expect.stringContaining('is missing') }]);
    await new Promise(resolve => setTimeout(resolve, 1_200));
    expect(warned).toEqual([expect.stringMatching(/current is missing; .* \(release r2 goes on answering\)$/)]);
    const answers = await engine.fetch(['sites_id'], inside, { deadline: Date.now() + 20_000 });
    expect(answers.sites_id!.value).toBe('r2');
    writeFileSync(path, text);
    utimesSync(path, 1, 1);
    await until(() => damage().length === 0);
  });
});

const broken = (file: string, problem = 'it is missing'): Damage => ({ file, layers: ['a:b'], problem });

it('damage is news once, and so is its end', () => {
  const news = new DamageNews();
  expect(news.next([broken('x'), broken('y')])).toEqual({ found: [broken('x'), broken('y')], over: [] });
  expect(news.next([broken('x'), broken('y')])).toEqual({ found: [], over: [] });
  expect(news.next([broken('y'), broken('z')])).toEqual({ found: [broken('z')], over: [broken('x')] });
});

it('one line a file is logged', () => {
  vi.useFakeTimers();
  const lines: unknown[] = [];
  let now: Damage[] = [broken('x'), broken('current')];
  const log = (detail: object, message: string) => lines.push([(detail as Damage).file, message]);
  const end = logDamage(
    { status: () => ({ damage: now }) as unknown as ReturnType<Engine['status']> },
    { error: log, info: log },
  );
  vi.advanceTimersByTime(60_000);
  now = [broken('x'), broken('y')];
  vi.advanceTimersByTime(60_000);
  now = [];
  vi.advanceTimersByTime(60_000);
  end();
  vi.useRealTimers();
  expect(lines).toEqual([
    ['x', 'a file of the release cannot be used'],
    ['y', 'a file of the release cannot be used'],
    ['x', 'a file of the release can be used again'],
    ['y', 'a file of the release can be used again'],
  ]);
});
