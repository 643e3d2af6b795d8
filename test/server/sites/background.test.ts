import { afterEach, describe, expect, it, vi } from 'vitest';
import { screenInBackground } from '../../../server/sites/background.ts';
import { readDossier, registerSite } from '../../../server/sites/operation.ts';
import { contextFor, type Fixture, openFixture, smallCatalog } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { square } from './site-shapes.ts';

const LOG = { error: () => {} };
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(one => one.stop()));
});
const start = (fixture: Fixture) => {
  const services = { engine: fixture.engine, catalog: smallCatalog, clock: fixture.clock };
  const screener = screenInBackground(services, fixture.state.sites, LOG);
  running.push(screener);
  return screener;
};

describeStores('screening in the background', kind => {
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
    const screener = start(fixture);
    const ctx = contextFor(fixture);
    const { site_id } = await registerSite(ctx, screener, { site: square() });
    await vi.waitFor(async () => expect((await readDossier(ctx, site_id)).status).toBe('ready'));
    const { dossier } = await readDossier(ctx, site_id);
    expect(dossier).toMatchObject({ release: 'r1', analysis_point: { lng: -68.77, lat: 44.8 } });
    expect(Object.keys(dossier!.records)).toEqual([...smallCatalog.fields.keys()]);
    expect(dossier!.records.elevation).toMatchObject({
      field: 'elevation',
      value: 12.5,
      unit: 'm',
      source: 'test_dem',
      status: 'ok',
      notes: null,
      area: { statistics: { kind: 'range', mean: 2 } },
    });
    expect(dossier!.records.parcel_apn!.area).toBeNull();
    expect(fixture.engine.screenings).toHaveLength(1);
    expect(fixture.engine.screenings[0]!.xy.length).toBe(10);
  });

  it('registrations at once screen once, over all servers', async () => {
    const fixture = await open();
    let release = () => {};
    const gate = new Promise<void>(resolve => {
      release = resolve;
    });
    fixture.engine.before = () => gate;
    const screeners = [start(fixture), start(fixture), start(fixture)];
    const ctx = contextFor(fixture);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => registerSite(ctx, screeners[i % 3]!, { site: square() })),
    );
    expect(new Set(answers.map(answer => answer.site_id)).size).toBe(1);
    await vi.waitFor(() => expect(fixture.engine.screenings).toHaveLength(1));
    for (const screener of screeners) screener.begin();
    release();
    await vi.waitFor(async () => expect((await readDossier(ctx, answers[0]!.site_id)).status).toBe('ready'));
    expect(fixture.engine.screenings).toHaveLength(1);
  });

  it('what another server left behind is taken over when its lease ends, and its late result is not filed', async () => {
    const fixture = await open();
    const ctx = contextFor(fixture);
    const { site_id } = await registerSite(ctx, { begin() {} }, { site: square() });
    const { sites } = fixture.state;
    const now = fixture.clock.time;
    const dead = (await sites.claim(now, now + 30_000))!;
    expect(await sites.claim(now, now + 30_000)).toBeNull();
    fixture.clock.time += 30_001;
    start(fixture);
    await vi.waitFor(async () => expect((await readDossier(ctx, site_id)).status).toBe('ready'));
    expect(await sites.renew(dead, now + 90_000)).toBe(false);
    expect(await sites.complete(dead, '{"late": true}', 'r0', now)).toBe(false);
    expect((await readDossier(ctx, site_id)).dossier!.release).toBe('r1');
  });

  it('a site that cannot be screened fails with its reason after four attempts', async () => {
    const fixture = await open();
    const ctx = contextFor(fixture);
    fixture.engine.before = async () => {
      throw new Error('no release is installed');
    };
    const screener = start(fixture);
    const { site_id } = await registerSite(ctx, screener, { site: square() });
    for (let attempt = 1; attempt <= 4; attempt++) {
      await vi.waitFor(() => expect(fixture.engine.screenings).toHaveLength(attempt));
      await vi.waitFor(async () => {
        fixture.clock.time += 6_000;
        screener.begin();
        if (attempt < 4) expect(fixture.engine.screenings.length).toBeGreaterThan(attempt);
        else expect((await readDossier(ctx, site_id)).status).toBe('failed');
      });
    }
    expect(await readDossier(ctx, site_id)).toMatchObject({ error: 'no release is installed', dossier: null });
  });

  it('a server that stops leaves the site for another', async () => {
    const fixture = await open();
    const ctx = contextFor(fixture);
    fixture.engine.before = signal =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const screener = start(fixture);
    const { site_id } = await registerSite(ctx, screener, { site: square() });
    await vi.waitFor(() => expect(fixture.engine.screenings).toHaveLength(1));
    await screener.stop();
    expect((await readDossier(ctx, site_id)).status).toBe('building');
    fixture.engine.before = async () => {};
    start(fixture);
    await vi.waitFor(async () => expect((await readDossier(ctx, site_id)).status).toBe('ready'));
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
    const screener = start(fixture);
    const { site_id } = await registerSite(ctx, screener, { site: square() });
    await vi.waitFor(async () => expect((await readDossier(ctx, site_id)).status).toBe('ready'));
    expect((await readDossier(ctx, site_id)).dossier!.release).toBe('r2');
    expect(fixture.engine.screenings).toHaveLength(2);
  });
});

describe('readDossier', () => {
  it('says nothing of a site that the account did not register', async () => {
    const fixture = await openFixture();
    const ctx = contextFor(fixture);
    const { site_id } = await registerSite(ctx, { begin() {} }, { site: square() });
    const other = await fixture.state.openAccount('other@example.org', 'build');
    await expect(readDossier({ ...ctx, account: other }, site_id)).rejects.toMatchObject({ code: 'site_not_found' });
    await fixture[Symbol.asyncDispose]();
  });
});
