import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Terminal } from '../../../query/engine/command.ts';
import { commands } from '../../../server/commands.ts';
import { STATUSES, type Status } from '../../../server/state/field-requests/states.ts';
import { openState } from '../../../server/state/open.ts';
import type { StateStore } from '../../../server/state/store.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-steps-'));
const before = process.env.PLAT_HOME;
let store: StateStore;
let accountId: string;
beforeAll(async () => {
  process.env.PLAT_HOME = home;
  store = await openState(home, '');
  accountId = (await store.openAccount('someone@example.org', 'build')).id;
});
afterAll(async () => {
  await store.close();
  if (before === undefined) delete process.env.PLAT_HOME;
  else process.env.PLAT_HOME = before;
  rmSync(home, { recursive: true, force: true });
});

/** Runs `plat requests …`. */
async function plat(words: string, options: Record<string, string | boolean> = {}, json = false) {
  const [name = '', ...args] = words.split(' ');
  const command = commands.find(one => one.name === `requests ${name}`)!;
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = { json, interactive: false, out: line => out.push(line), err: line => err.push(line) };
  const fallbacks = Object.fromEntries(
    command.options.flatMap(({ flags, fallback }) =>
      fallback === undefined ? [] : [[/--([a-z]+)/.exec(flags)![1]!, fallback]],
    ),
  );
  const code = await command.run(args, { ...fallbacks, ...options }, terminal);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const ASK = 'distance to the nearest covered bridge';
let count = 0;

/** A request that went through the states before one. */
async function requestIn(status: Status): Promise<string> {
  const id = `fr_${String(count++).padStart(26, 'a')}`;
  await store.fieldRequests.file({
    id,
    accountId,
    keyHash: null,
    bodyHash: id,
    callback: { email: 'someone@example.org' },
    contextBlob: 'mine',
    now: Date.now(),
    body: { description: ASK, example_locations: [{ lat: 44.8, lng: -68.7, claimed_value: '900 m' }] },
    locations: [{ index: 0, resolved_location: { lat: 44.8, lng: -68.7, source: 'coordinate' } }],
    by: 'someone',
  });
  const disposition = [
    { ask: ASK, disposition: 'accepted_new', field_id: null, estimated_ready_at: null, resume: null, explanation: 'x' },
  ] as const;
  const ways: Partial<Record<Status, readonly Status[]>> = {
    received: [],
    matched: ['screening', 'matched'],
    awaiting_confirm: ['screening', 'awaiting_confirm'],
    rejected: ['screening', 'rejected'],
    expired: ['screening', 'awaiting_confirm', 'expired'],
    blocked: ['blocked'],
  };
  const road: Status[] = ['screening', 'queued', 'claimed', 'building', 'in_review', 'approved', 'publishing', 'live'];
  let from: Status = 'received';
  for (const to of ways[status] ?? road.slice(0, road.indexOf(status) + 1)) {
    const more = to === 'queued' ? { disposition, promise: () => 1_800_000_000_000 } : {};
    const moved = await store.fieldRequests.move({
      id,
      from: [from],
      to,
      by: 'test',
      reason: '',
      now: Date.now(),
      ...more,
    });
    expect(moved?.status).toBe(to);
    from = to;
  }
  return id;
}

const BLOCK = { code: 'licensing', explanation: 'The publisher forbids it.' };
const BUILD = {
  dataset: 'covered_bridges',
  field: 'nearest_covered_bridge_distance_m',
  state: 'ME',
  county: '23019',
  out: home,
};
/** What each command needs, where it leads, and from where. Review is taken where a built field answers: docs.test.ts. */
const STEPS: Record<string, [Record<string, string | boolean>, Status, readonly Status[]]> = {
  claim: [{}, 'claimed', ['queued']],
  build: [BUILD, 'building', ['claimed']],
  review: [{ changes: 'the unit is wrong' }, 'building', ['in_review']],
  approve: [{}, 'approved', ['in_review']],
  publish: [{ wait: '0' }, 'publishing', ['approved', 'publishing']],
  block: [
    BLOCK,
    'blocked',
    [
      'received',
      'screening',
      'awaiting_confirm',
      'queued',
      'claimed',
      'building',
      'in_review',
      'approved',
      'publishing',
    ],
  ],
  release: [{}, 'queued', ['claimed', 'building']],
};

it.each(Object.entries(STEPS))(
  'requests %s is taken from where it may be, and refused from everywhere else without changing anything',
  async (name, [options, to, from]) => {
    for (const status of STATUSES) {
      const id = await requestIn(status);
      const row = await store.fieldRequests.find(id);
      const { code, err } = await plat(`${name} ${id}`, options);
      const after = await store.fieldRequests.find(id);
      if (from.includes(status)) {
        expect([status, code, after?.status]).toEqual([status, name === 'publish' ? 1 : 0, to]);
        rmSync(join(home, 'datasets'), { recursive: true, force: true });
      } else {
        expect([status, code]).toEqual([status, 1]);
        expect(err).toContain('Nothing changed');
        expect(after).toEqual(row);
      }
    }
    expect((await plat(`${name} fr_nowhere`, options)).code).toBe(1);
  },
);

it('a request given back keeps its place and its promise, and every step says who and why', async () => {
  const id = await requestIn('queued');
  const promised = (await store.fieldRequests.find(id))!.estimatedReadyAt;
  await plat(`claim ${id}`, { by: 'ann', reason: 'mine' });
  expect(await store.fieldRequests.find(id)).toMatchObject({ queuePosition: 0, build: { holder: 'ann' } });
  await plat(`release ${id}`, { by: 'ann', reason: 'too much' });
  const row = (await store.fieldRequests.find(id))!;
  expect([row.status, row.estimatedReadyAt]).toEqual(['queued', promised]);
  expect(row.queuePosition).toBeGreaterThan(0);
  expect((await store.fieldRequests.events(id)).slice(-2)).toMatchObject([
    { actor: 'ann', from: 'queued', to: 'claimed', reason: 'mine' },
    { actor: 'ann', from: 'claimed', to: 'queued', reason: 'too much' },
  ]);
});

it('requests build writes what compiles as a dataset, a place and an evaluation without addresses', async () => {
  const id = await requestIn('claimed');
  const { out } = await plat(`build ${id}`, BUILD, true);
  const { files } = JSON.parse(out) as { files: string[] };
  expect(files.map(path => path.slice(home.length))).toEqual([
    '/datasets/products/covered-bridges.ts',
    `/field-requests/${id}/place.yaml`,
    `/field-requests/${id}/evaluation.json`,
  ]);
  expect(JSON.parse(readFileSync(files[2]!, 'utf8'))).toEqual({
    request_id: id,
    fields: [{ field: 'nearest_covered_bridge_distance_m', ask: ASK }],
    examples: [{ index: 0, lat: 44.8, lng: -68.7, claimed_value: '900 m' }],
  });
  // What is there already is not written over, and then nothing is.
  const other = await requestIn('claimed');
  await expect(plat(`build ${other}`, BUILD)).rejects.toThrow('EEXIST');
  expect((await store.fieldRequests.find(other))!.status).toBe('claimed');
  await expect(plat(`build ${other}`, { ...BUILD, field: 'a,b' })).rejects.toThrow('expected --field with 1');
  rmSync(join(home, 'datasets'), { recursive: true });
});

it('a blocked request says why, and its requester is told once', async () => {
  const id = await requestIn('in_review');
  await plat(`block ${id}`, { ...BLOCK, counterOffer: 'ask the town' });
  const deliveries = await store.fieldRequests.deliveries({ requestId: id, limit: 10 });
  expect(deliveries).toMatchObject([{ event_type: 'request_blocked', channel: 'email', status: 'waiting' }]);
  expect(JSON.parse((await store.fieldRequests.delivery(deliveries[0]!))!.payload)).toEqual({
    request_id: id,
    event_type: 'request_blocked',
    status: 'blocked',
    field_id: null,
    fetch: null,
    value: null,
    unit: null,
    citation: null,
    confidence: null,
    caveat: null,
    context_blob: 'mine',
    blocked_reason: { code: 'licensing', explanation: 'The publisher forbids it.', counter_offer: 'ask the town' },
  });
  await expect(plat(`block ${id}`, { code: 'bored', explanation: 'x' })).rejects.toThrow('expected --code');
  await expect(plat(`approve ${id}`, { lowConfidence: true })).rejects.toThrow('--caveat');
});

it('requests list and show say where requests are', async () => {
  const id = await requestIn('queued');
  const listed = JSON.parse((await plat('list', { status: 'queued' }, true)).out) as {
    requests: { request_id: string; queue_position: number }[];
  };
  expect(listed.requests.map(row => row.queue_position)).toEqual(listed.requests.map((_, i) => i + 1));
  expect((await plat('list', { status: 'queued' })).out).toContain(`${id}  queued #`);
  expect(JSON.parse((await plat(`show ${id}`)).out)).toMatchObject({
    request_id: id,
    request: { description: ASK },
    steps: [{ to: 'received' }, { to: 'screening' }, { to: 'queued' }],
  });
  await expect(plat('list', { status: 'gone' })).rejects.toThrow('expected --status');
  expect((await plat('show fr_nowhere')).code).toBe(1);
});
