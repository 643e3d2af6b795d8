import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import type { Ctx } from '../../../server/context.ts';
import type { JobServices } from '../../../server/jobs/job-kind.ts';
import { CONFIRM_PATH } from '../../../server/mail/links.ts';
import type { Message } from '../../../server/mail/mailer.ts';
import { createSafeClient } from '../../../server/upstream/safe-client.ts';
import { addressJob } from '../../../server/watches/address-job.ts';
import { comparisonJob } from '../../../server/watches/comparison-job.ts';
import { watchDeliveryJob } from '../../../server/watches/delivery-job.ts';
import { registerWatch } from '../../../server/watches/registration.ts';
import { roundJob } from '../../../server/watches/round-job.ts';
import type { WatchBody } from '../../../server/watches/schema.ts';
import { readWatch } from '../../../server/watches/standing.ts';
import { type Published, Town } from '../../query/changes/town.ts';
import { doNext, servicesOf } from '../field-requests/working.ts';
import { Browser } from '../provider/browser.ts';
import { contextFor, type Fixture, ISSUER, openFixture } from '../service-fixture.ts';

const FIRST: Published = {
  lots: [
    { no: '1', column: 0, row: 0, value: 100 },
    { no: '2', column: 1, row: 0, value: 200 },
  ],
  ...{ wet: [3], zone: 'R1', population: 5 },
};
const [ONE, TWO] = [parcelId('23019:1'), parcelId('23019:2')];
const STATE = { field: 'state', op: 'eq', value: 'ME' };

const town = new Town();
let fixture: Fixture;
let engine: Engine;
let services: JobServices;
let now: Published = FIRST;
const mails: Message[] = [];
/** What a webhook was sent. */
// biome-ignore lint/suspicious/noExplicitAny: events are read member by member.
const heard: { readonly id: unknown; readonly event: unknown; readonly body: Record<string, any> }[] = [];
const hook = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { 'x-service-delivery': id, 'x-service-event': event } = request.headers;
  heard.push({ id, event, body: JSON.parse(body) });
  response.writeHead(204).end();
});

beforeAll(async () => {
  fixture = await openFixture();
  await town.publish(FIRST);
  engine = await createEngine({ home: town.home, workers: 2, queue: 8, memoryMb: 64 });
  await new Promise<void>(done => hook.listen(0, '127.0.0.1', done));
  const send = async (message: Message) => void mails.push(message);
  const mailer = { leaves: false, send, close: () => {} };
  services = { ...servicesOf(fixture, { mailer }), engine, catalog, clock: Date };
}, 120_000);
afterAll(async () => {
  hook.close();
  await engine.close();
  town.remove();
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  heard.length = 0;
  mails.length = 0;
});

const webhook = () => ({ webhook_url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` });

const contextOf = (account = fixture.account): Ctx =>
  contextFor(fixture, { engine, catalog, clock: Date, account, deadline: Date.now() + 60_000 });

async function watch(body: Omit<WatchBody, 'callback'> & Partial<WatchBody>, account = fixture.account) {
  const stored = () => Promise.reject(new Error('nothing of this kind is asked'));
  const limits = { batch: 1000, maxCandidates: null, maxEvaluated: null, maxVertices: 10_000, maxSquareKm: 1e6 };
  const sets = {
    ...limits,
    cursors: null,
    drive: stored,
    siteShape: stored,
    sitingTemplate: stored,
    keepMap: stored,
    upload: stored,
  };
  const client = createSafeClient({ networks: ['127.0.0.1'] });
  const { watch_id } = await registerWatch(contextOf(account), { sets, client }, { callback: webhook(), ...body });
  return watch_id;
}
const end = (id: string) => fixture.state.watches.remove(fixture.account.id, id);

/** Publishes what has changed of the town. @returns the release before and the new one. */
async function publish(change: Partial<Published>): Promise<[string, string]> {
  const { release: before } = engine.status();
  now = { ...now, ...change };
  const release = await town.publish(now);
  while (engine.status().release !== release) await sleep(20);
  return [before!, release];
}

const nothing = { data: {}, attempt: 1, id: 'a test', signal: new AbortController().signal, progress: async () => {} };
const round = () => roundJob.run(services, nothing);
const waiting = async (kind: string) => (await fixture.state.jobs.jobs({ kind, status: 'waiting', limit: 9 })).length;

/** Compares and tells whatever is due. @returns how many comparisons there were. */
async function settle(): Promise<number> {
  await round();
  let compared = 0;
  for (; (await waiting(comparisonJob.name)) > 0; compared++)
    expect(await doNext(services, comparisonJob)).toMatchObject({ status: 'done', error: null });
  while ((await waiting(watchDeliveryJob.name)) > 0) await doNext(services, watchDeliveryJob);
  return compared;
}

it('a publication that changes the zone of a parcel tells its watch once: old, new, and the file', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning', 'parval', 'acreage'] });
  expect(await settle()).toBe(0);
  const [since, release] = await publish({ zone: 'C2' });
  expect(await settle()).toBe(1);
  const zone = (value: string) => expect.objectContaining({ value, status: 'ok', source: expect.any(String) });
  expect(heard).toEqual([
    {
      ...{ id: `${id}:${release}`, event: 'watch_changed' },
      body: {
        ...{ event_type: 'watch_changed', watch_id: id, since, release, total: 1, rest: null, gaps: [] },
        changes: [
          {
            ...{ parcel_id: ONE, change: 'changed', field: 'zoning', before: zone('R1'), after: zone('C2') },
            files: [
              {
                layer: 'local_zoning:main',
                before: [expect.stringMatching(/^[0-9a-f]{64}$/)],
                after: [expect.stringMatching(/^[0-9a-f]{64}$/)],
              },
            ],
          },
        ],
      },
    },
  ]);
  expect(await settle()).toBe(0);
  expect(heard).toHaveLength(1);
  expect(await readWatch(contextOf(), id)).toMatchObject({
    ...{ release, told_at: expect.any(String), last_event: { total: 1 } },
    deliveries: [{ channel: 'webhook', status: 'delivered', error: null }],
  });
  await end(id);
});

it('a publication that changes nothing of what is watched tells nothing', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning', 'parval'] });
  const [, release] = await publish({ population: 6, lots: [now.lots[0]!, { ...now.lots[1]!, value: 250 }] });
  expect(await settle()).toBe(1);
  expect(heard).toEqual([]);
  expect(await readWatch(contextOf(), id)).toMatchObject({ release, told_at: null, last_event: null });
  await end(id);
});

/** Of the first lot. */
const MIDDLE = { lng: -68.8995, lat: 44.1005 };

it('what was corrected is no change of a publication: values of both releases are told as they were published', async () => {
  const entry = {
    ...{ correction_id: 'cor_1', field: 'zoning', also: ['parcel_zoning'], dataset: 'parcel_store', value: 'R9' },
    ...{ parcel_id: ONE, ...MIDDLE, evidence_url: null, accepted_at: '2026-11-26T06:00:00.000Z' },
  };
  writeFileSync(correctionsPath(town.home), `${JSON.stringify(entry)}\n`);
  await sleep(250);
  const ids = [
    await watch({ parcel_ids: [ONE], fields: ['zoning', 'parval'] }),
    await watch({ search: { filters: [STATE, { field: 'zoning', op: 'eq', value: 'R9' }] }, fields: ['parval'] }),
  ];
  const question = { point: MIDDLE, address: null, names: ['zoning'] };
  const answer = await engine.enrich(question, { deadline: Date.now() + 9_000 });
  expect(answer.status === 'matched' && Buffer.from(answer.enriched.fields).toString()).toContain('"R9"');
  await publish({ population: 7 });
  expect(await settle()).toBe(2);
  expect(heard).toEqual([]);
  rmSync(correctionsPath(town.home));
  await sleep(250);
  for (const id of ids) await end(id);
});

it('a field that this build answers no more is told as a gap, and the others are compared', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning', 'parval'] });
  await publish({ zone: 'C5' });
  await round();
  const claim = (await fixture.state.jobs.claim(comparisonJob.name))!;
  const work = async (of: string) => {
    const row = await fixture.state.watches.work(of);
    return row && { ...row, fields: ['no_more', ...row.fields] };
  };
  const state = { ...fixture.state, watches: { ...fixture.state.watches, work } };
  const effect = await comparisonJob.run({ ...services, state }, { ...nothing, data: { watch_id: id } });
  await fixture.state.jobs.finish(claim, effect);
  await settle();
  expect(heard.map(({ body }) => [body.changes.map((one: { field: string }) => one.field), body.gaps])).toEqual([
    [['zoning'], ['This service answers no_more no more: it is not compared.']],
  ]);
  await publish({ zone: 'C2' });
  await end(id);
});

it('a search is told which parcels entered and left and why; a parcel that is gone is removed from a list', async () => {
  const search = { filters: [STATE, { field: 'parval', op: 'gte', value: 240 }] };
  const [searched, listed] = [
    await watch({ search, fields: ['zoning'] }),
    await watch({ parcel_ids: [TWO], fields: ['zoning'] }),
  ];
  const lots = [
    { ...now.lots[0]!, value: 300 },
    { no: '3', column: 5, row: 0, value: 900 },
  ];
  await publish({ lots });
  expect(await settle()).toBe(2);
  const of = (id: string) => {
    const { body } = heard.find(one => one.body.watch_id === id)!;
    const changes = body.changes as { [name: string]: { value: unknown } | null }[];
    return changes.map(one => [one.parcel_id, one.change, one.field, one.before?.value, one.after?.value]);
  };
  expect(of(searched)).toEqual(
    expect.arrayContaining([
      [ONE, 'entered', 'parval', 100, 300],
      [TWO, 'left', 'zoning', 'C2', undefined],
      [parcelId('23019:3'), 'entered', 'zoning', undefined, 'C2'],
    ]),
  );
  expect(of(listed)).toEqual([[TWO, 'removed', 'zoning', 'C2', undefined]]);
  await end(searched);
  await end(listed);
});

it('a site is told what holds of its ground, also where its middle says the same', async () => {
  const { sites } = fixture.state;
  const [west, south, size] = [-68.9, 44.1, 0.004];
  const ring = [
    [west, south],
    [west + size, south],
    [west + size, south + 0.001],
    [west, south + 0.001],
    [west, south],
  ];
  const id = `site_${'a'.repeat(32)}`;
  const geometry = JSON.stringify({ type: 'Polygon', coordinates: [ring] });
  await sites.register(
    {
      ...{ id, accountId: fixture.account.id, geometry, acres: 1, extent: [0, 0, 0, 0], release: 'x' },
      ...{ now: Date.now(), expiresAt: Date.now() + 60_000 },
    },
    { kind: 'screening', key: id, account: null, data: {}, attempts: 1, retryMs: 1, mostMs: 1 },
  );
  const watched = await watch({ site_id: id, fields: ['within_nwi_wetland', 'county_population'] });
  // The site expires; its watch goes on.
  await sites.forget(fixture.account.id, id, Date.now());
  await publish({ wet: [0, 3] });
  await settle();
  expect(heard.map(({ body }) => body.changes)).toEqual([
    [
      expect.objectContaining({
        ...{ site_id: id, change: 'changed', field: 'within_nwi_wetland' },
        files: [expect.objectContaining({ layer: 'usfws_nwi:main' })],
      }),
    ],
  ]);
  const [{ before, after }] = heard[0]!.body.changes;
  expect(after.area.statistics).not.toEqual(before.area.statistics);
  await end(watched);
});

it('a crash between what was found and its delivery tells again, under the same id', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning'] });
  const [, release] = await publish({ zone: 'C3' });
  await round();
  // A process that dies after it compared has told nothing.
  await comparisonJob.run(services, { ...nothing, data: { watch_id: id } });
  expect(await waiting(watchDeliveryJob.name)).toBe(0);
  await doNext(services, comparisonJob);
  // One that dies after it called has told once, and the next one tells again.
  await watchDeliveryJob.run(services, { ...nothing, data: { watch_id: id, release, channel: 'webhook' } });
  await doNext(services, watchDeliveryJob);
  expect(heard.map(one => one.id)).toEqual([`${id}:${release}`, `${id}:${release}`]);
  expect(heard[0]!.body).toEqual(heard[1]!.body);
  expect(await settle()).toBe(0);
  await end(id);
});

it('what lies between releases that are gone is told as a gap, once nobody else may know it', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning'] });
  const [before] = await publish({ zone: 'C4' });
  const pruned = { ...engine, keptReleases: () => engine.keptReleases().filter(kept => kept !== before) };
  const run = (attempt: number) =>
    comparisonJob.run({ ...services, engine: pruned }, { ...nothing, attempt, data: { watch_id: id } });
  await expect(run(1)).rejects.toThrow('is not kept here');
  const effect = await run(5);
  await round();
  const claim = (await fixture.state.jobs.claim(comparisonJob.name))!;
  await fixture.state.jobs.finish(claim, effect);
  await settle();
  expect(heard).toHaveLength(1);
  expect(heard[0]!.body).toMatchObject({
    since: before,
    gaps: [expect.stringContaining(`Release ${before} is not kept`)],
  });
  await end(id);
});

it('mail waits until its owner has confirmed the address, and says what changed without links', async () => {
  const id = await watch({ parcel_ids: [ONE], fields: ['zoning'], callback: { email: 'me@example.org' } });
  await doNext(services, addressJob);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['me@example.org', 'May Plat send you news about field requests and watches?'],
  ]);
  await publish({ zone: 'see evil.example.com/x' });
  await settle();
  expect(mails).toHaveLength(1);
  expect(await readWatch(contextOf(), id)).toMatchObject({ deliveries: [{ channel: 'email', status: 'held' }] });
  const [link] = new RegExp(`${ISSUER}${CONFIRM_PATH}\\?code=\\S+`).exec(mails[0]!.text)!;
  // The pages go by the clock of the fixture.
  const { time } = fixture.clock;
  fixture.clock.time = Date.now();
  const browser = new Browser(fixture.app, ISSUER);
  await browser.open(link);
  expect((await browser.send({})).text).toContain('is confirmed');
  fixture.clock.time = time;
  await settle();
  expect(mails).toHaveLength(2);
  const [words] = mails[1]!.text.split('```json');
  expect(words).toContain(`parcel ${ONE}, zoning: C4 → see evil[.]example[.]com/x`);
  expect(mails[1]!.stop).toMatch(/^http:\/\/127\.0\.0\.1:8080\/mail\/stop\?code=/);
  await end(id);
});
