import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableLayer, VectorLayer } from '../../../datasets/dataset.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { type Engine, EngineBusy } from '../../../query/engine/engine-interface.ts';
import { createFixture, dataset, type Fixture, field, point, type ReleaseSpec, rectangle } from '../release-fixture.ts';

const county: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'GEOID',
  partition: 'national',
  columns: { GEOID: { type: 'string' } },
};
const sites: VectorLayer = { ...county, geometry: 'point', columns: { GEOID: { type: 'string' } } };
const table: TableLayer = {
  kind: 'table',
  key: { column: 'fips', is: 'county_fips' },
  partition: 'national',
  columns: { fips: { type: 'string' }, people: { type: 'integer' } },
};
const datasets = [
  dataset('census_tiger', { county }, { fips: field('polygon_attr(census_tiger:county, GEOID)', { type: 'string' }) }),
  dataset('sites', { main: sites }, { near: field('nearest_distance(sites, max_km=500)') }),
  dataset(
    'stats',
    { main: table },
    {
      people: field('area_key_attr(stats, key=county_fips, people)'),
      double: field('derived(expr[p * 2], p=@people)', { confidence: 'min_inputs' }),
    },
  ),
];
const spec = (people: number): ReleaseSpec => ({
  census_tiger: { county: [{ features: [{ geometry: rectangle([0, 0, 1, 1]), GEOID: '23019' }], source: 'tiger' }] },
  sites: { main: [{ features: [{ geometry: point(0.5, 0.5), GEOID: 'x' }], vintage: '2020' }] },
  stats: { main: [{ rows: [{ fips: '23019', people }] }] },
});
const names = ['fips', 'near', 'people', 'double'];
const inside = { lng: 0.5, lat: 0.5 };
const soon = () => ({ deadline: Date.now() + 20_000 });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await condition()) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('the condition never came true');
}

let fixture: Fixture;
let engine: Engine;
beforeAll(async () => {
  fixture = await createFixture(datasets, spec(100));
  engine = await createEngine({ home: fixture.home, workers: 1, queue: 1, memoryMb: 64, catalog: fixture.catalog });
});
afterAll(async () => {
  await engine.close();
  fixture.remove();
});

describe('engine', () => {
  it('is ready once its workers are warm, and shows what is installed', () => {
    const status = engine.status();
    expect(status.workers).toEqual({ size: 1, ready: 1 });
    expect(status.release).toBe('r1');
    expect(status.datasets.sites!.main).toEqual({ rows: 1, vintages: ['2020'], sources: ['source_of_somewhere'] });
  });

  it.runIf(process.platform === 'linux')('lets the serving thread go before its workers', () => {
    // The niceness of a thread is the 19th value of its stat (proc_pid_stat(5)); its name may hold spaces.
    const niceness = readdirSync('/proc/self/task').map(tid =>
      Number(readFileSync(`/proc/self/task/${tid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]),
    );
    const own = niceness.filter(nice => nice === getPriority());
    expect(own.length).toBeGreaterThan(0);
    expect(niceness.filter(nice => nice === Math.min(19, getPriority() + 5)).length).toBeGreaterThanOrEqual(
      engine.status().workers.size,
    );
  });

  it('answers several fields of several operators from one message', async () => {
    const answers = await engine.fetch(names, inside, soon());
    expect(Object.keys(answers)).toEqual(names);
    expect(Object.values(answers).map(a => a.value)).toEqual(['23019', 0, 100, 200]);
    expect(answers.people!.fetchedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('fails everything, retryable, when the deadline has passed', async () => {
    const answers = await engine.fetch(names, inside, { deadline: Date.now() - 1 });
    for (const answer of Object.values(answers))
      expect(answer).toMatchObject({ status: 'failed', retryable: true, error: 'the time for this location was up' });
  });

  it('refuses when the queue is full, and drops what is aborted while it waits', async () => {
    const first = engine.fetch(names, inside, soon());
    const abort = new AbortController();
    const second = engine.fetch(names, inside, { ...soon(), signal: abort.signal });
    await expect(engine.fetch(names, inside, soon())).rejects.toBeInstanceOf(EngineBusy);
    abort.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect((await first).fips!.value).toBe('23019');
    // The worker may still have to pass over what was aborted.
    await until(async () => {
      try {
        return (await engine.fetch(['fips'], inside, soon())).fips!.value === '23019';
      } catch (error) {
        if (error instanceof EngineBusy) return false;
        throw error;
      }
    });
  });

  it('rejects an aborted running request and goes on answering', async () => {
    const abort = new AbortController();
    const running = engine.fetch(names, inside, { ...soon(), signal: abort.signal });
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect((await engine.fetch(['people'], inside, soon())).people!.value).toBe(100);
  });

  it('notices a file that is damaged while it serves, and its repair', async () => {
    const path = fixture.path('sites', 'main', 'features');
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[bad.length - 5]! ^= 0xff;
    writeFileSync(path, bad);
    const status = async () => (await engine.fetch(['near', 'fips'], inside, soon())).near!.status;
    await until(async () => (await status()) === 'failed');
    expect((await engine.fetch(['near', 'fips'], inside, soon())).fips!.status).toBe('ok');
    writeFileSync(path, good);
    await until(async () => (await status()) === 'ok');
  });

  it('picks up the next release without a restart, changing the versions of what changed only', async () => {
    const before = Object.fromEntries(names.map(name => [name, engine.versionOf(name)]));
    await fixture.publish(spec(101), 'r2');
    await until(() => engine.status().release === 'r2');
    expect((await engine.fetch(['people'], inside, soon())).people!.value).toBe(101);
    expect(engine.versionOf('fips')).toBe(before.fips);
    expect(engine.versionOf('near')).toBe(before.near);
    expect(engine.versionOf('people')).not.toBe(before.people);
    expect(engine.versionOf('double')).not.toBe(before.double);
  });

  it('keeps the last good release when the next cannot be opened', async () => {
    writeFileSync(`${fixture.home}/releases/current`, 'r_missing\n');
    await new Promise(resolve => setTimeout(resolve, 1200));
    expect(engine.status().release).not.toBeNull();
    expect((await engine.fetch(['people'], inside, soon())).people!.value).toBe(101);
    writeFileSync(`${fixture.home}/releases/current`, 'r2\n');
  });

  it('refuses a name that is no field', async () => {
    await expect(engine.fetch(['nothing'], inside, soon())).rejects.toBeInstanceOf(RangeError);
  });
});

describe('engine without a release', () => {
  it('starts, and every field fails saying so until one is published', async () => {
    const empty = await createFixture(datasets, spec(5));
    rmSync(`${empty.home}/releases/current`);
    const idle = await createEngine({ home: empty.home, workers: 1, queue: 4, memoryMb: 16, catalog: empty.catalog });
    try {
      expect(idle.status().release).toBeNull();
      const { fips } = await idle.fetch(['fips'], inside, soon());
      expect(fips).toMatchObject({ status: 'failed', retryable: false, source: 'census_tiger' });
      expect(fips!.error).toContain('no release is installed');
      const version = idle.versionOf('fips');
      writeFileSync(`${empty.home}/releases/current`, 'r1\n');
      await until(() => idle.status().release === 'r1');
      expect((await idle.fetch(['people'], inside, soon())).people!.value).toBe(5);
      expect(idle.versionOf('fips')).not.toBe(version);
    } finally {
      await idle.close();
      empty.remove();
    }
  });
});
