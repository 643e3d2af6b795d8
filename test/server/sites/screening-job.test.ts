import { afterEach, describe, expect, it, vi } from 'vitest';
import { doJob } from '../../../server/jobs/attempt.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import type { Dossier } from '../../../server/sites/dossier.ts';
import { readDossier, registerSite } from '../../../server/sites/operation.ts';
import { screeningJob } from '../../../server/sites/screening-job.ts';
import { siteScreened } from '../../../server/state/sites.ts';
import { type Aging, aging } from '../jobs/aging.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture, smallCatalog } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { square } from './site-shapes.ts';

const running: JobWorker[] = [];
let release = () => {};
afterEach(async () => {
  release();
  await Promise.all(running.splice(0).map(one => one.stop()));
});
const start = (fixture: Fixture) => {
  const worker = workOnJobs({ ...contextFor(fixture), callbacks: NO_CALLBACKS }, [screeningJob]);
  running.push(worker);
  return worker;
};
/** As a test of the queue ages it. */
const on = async ({ state, clock }: Aging) => openFixture({ state, clock });
const isReady = (fixture: Fixture, site_id: string) =>
  vi.waitFor(async () => expect((await readDossier(contextFor(fixture), site_id)).status).toBe('ready'), 20_000);

describeStores('the screening of a site', kind => {
  const open = async () => openFixture({ state: await kind.open(await kind.place()) });

  it('a registered site becomes ready, with a record of every field and what it says of the polygon', async () => {
    const fixture = await open();
    fixture.engine.ground = {
      ...fixture.engine.ground,
      areas: {
        elevation: {
          status: 'ok',
          statistics: { kind: 'range', min: 1, mean: 2, max: 3, cells: 9, without_value: 0 },
          source: 'test_dem',
          source_url: null,
          dataset_vintage: '2021',
          confidence: 'high',
          notes: null,
        },
      },
    };
    start(fixture);
    const ctx = contextFor(fixture);
    const { site_id } = await registerSite(ctx, { site: square() });
    await isReady(fixture, site_id);
    const dossier = JSON.parse((await readDossier(ctx, site_id)).dossier!) as Dossier;
    expect(dossier).toMatchObject({ release: 'r1', analysis_point: { lng: -68.77, lat: 44.8 } });
    expect(Object.keys(dossier.records)).toEqual([...smallCatalog.fields.keys()]);
    expect(dossier.records.elevation).toMatchObject({
      field: 'elevation',
      value: 12.5,
      unit: 'm',
      source: 'test_dem',
      status: 'ok',
      notes: null,
      area: { statistics: { kind: 'range', mean: 2 } },
    });
    expect(dossier.records.parcel_apn!.area).toBeNull();
    expect(dossier.parcels).toEqual(fixture.engine.ground.parcels);
    expect(fixture.engine.screenings).toHaveLength(1);
    expect(fixture.engine.screenings[0]!.xy.length).toBe(10);
  });

  it('is done once for registrations at once, over all servers', async () => {
    const place = await kind.place();
    const open = async () => openFixture({ state: await kind.open(place) });
    const fixtures = [await open(), await open(), await open()];
    const held = Promise.withResolvers<void>();
    release = held.resolve;
    const screenings = () => fixtures.reduce((sum, { engine }) => sum + engine.screenings.length, 0);
    for (const fixture of fixtures) {
      fixture.engine.before = () => held.promise;
      start(fixture);
    }
    const register = (_: unknown, i: number) => registerSite(contextFor(fixtures[i % 3]!), { site: square() });
    const answers = await Promise.all(Array.from({ length: 12 }, register));
    const id = answers[0]!.site_id;
    expect(answers.every(({ site_id, status }) => site_id === id && status === 'building')).toBe(true);
    await vi.waitFor(() => expect(screenings()).toBe(1), 20_000);
    await Promise.all(fixtures.map((_, i) => register(_, i)));
    release();
    await isReady(fixtures[0]!, id);
    expect((await register(null, 1)).status).toBe('ready');
    await vi.waitFor(async () =>
      expect(await fixtures[0]!.state.jobs.jobs({ key: id, status: 'running', limit: 5 })).toEqual([]),
    );
    expect(screenings()).toBe(1);
    expect(await fixtures[0]!.state.jobs.jobs({ key: id, limit: 5 })).toHaveLength(1);
  });

  it('that a dead server left behind is taken over when its lease ends, and its late result is not filed', async () => {
    const at = await aging(kind);
    const fixture = await on(at);
    const { site_id } = await registerSite(contextFor(fixture), { site: square() });
    const dead = (await at.jobs.claim('screening'))!;
    expect(await at.jobs.claim('screening')).toBeNull();
    await at.pass(at.jobs.leaseMs + 1_000);
    await at.pass(10_000);
    start(fixture);
    await isReady(fixture, site_id);
    const late = await siteScreened(site_id, '{"late": true}', 'r0', at.clock.time);
    expect(await at.jobs.finish(dead, late)).toBe(false);
    expect(JSON.parse((await readDossier(contextFor(fixture), site_id)).dossier!).release).toBe('r1');
  });

  it('has failed with its reason after four attempts, and is begun anew by a registration or an operator', async () => {
    const at = await aging(kind);
    const fixture = await on(at);
    const ctx = contextFor(fixture);
    fixture.engine.before = async () => {
      throw new Error('no release is installed');
    };
    const { site_id } = await registerSite(ctx, { site: square(0.02) });
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect((await readDossier(ctx, site_id)).status).toBe('building');
      await doJob(
        { ...ctx, callbacks: NO_CALLBACKS },
        screeningJob,
        (await at.jobs.claim('screening'))!,
        new AbortController().signal,
      );
      await at.pass(90_000);
    }
    expect(await readDossier(ctx, site_id)).toMatchObject({ error: 'no release is installed', dossier: null });
    expect(fixture.engine.screenings).toHaveLength(4);
    fixture.engine.before = async () => {};
    const [failed] = await at.jobs.jobs({ key: site_id, limit: 5 });
    start(fixture);
    expect(await at.jobs.retry(failed!.id, 1)).toBe(true);
    await isReady(fixture, site_id);
  });

  it('is handed back by a server that stops, which counts as no attempt', async () => {
    const at = await aging(kind);
    const fixture = await on(at);
    fixture.engine.before = signal =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const { site_id } = await registerSite(contextFor(fixture), { site: square(0.03) });
    const worker = start(fixture);
    await vi.waitFor(() => expect(fixture.engine.screenings).toHaveLength(1), 20_000);
    await worker.stop();
    expect((await readDossier(contextFor(fixture), site_id)).status).toBe('building');
    const [job] = await at.jobs.jobs({ key: site_id, limit: 5 });
    expect(job).toMatchObject({ status: 'waiting', attempt: 1, lastAttempt: 5, error: null });
    fixture.engine.before = async () => {};
    start(fixture);
    await isReady(fixture, site_id);
  });

  it('a dossier is of one release: another one published meanwhile is asked anew', async () => {
    const fixture = await open();
    const ctx = contextFor(fixture);
    let calls = 0;
    fixture.engine.before = async () => {
      // The first is the screening; the next one is published while its fields are fetched.
      if (++calls !== 2) return;
      fixture.engine.current = { ...fixture.engine.current, release: 'r2' };
      fixture.engine.ground = { ...fixture.engine.ground, release: 'r2' };
    };
    start(fixture);
    const { site_id } = await registerSite(ctx, { site: square() });
    await isReady(fixture, site_id);
    expect(JSON.parse((await readDossier(ctx, site_id)).dossier!).release).toBe('r2');
    expect(fixture.engine.screenings).toHaveLength(2);
  });
});

describe('readDossier', () => {
  it('says nothing of a site that the account did not register', async () => {
    const fixture = await openFixture();
    const ctx = contextFor(fixture);
    const { site_id } = await registerSite(ctx, { site: square() });
    const other = await fixture.state.openAccount('other@example.org', 'build');
    await expect(readDossier({ ...ctx, account: other }, site_id)).rejects.toMatchObject({ code: 'site_not_found' });
    await fixture[Symbol.asyncDispose]();
  });
});
