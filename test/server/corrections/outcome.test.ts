import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { correctionDeliveryJob } from '../../../server/corrections/delivery-job.ts';
import { acceptCorrection, StepRefused, takeStep } from '../../../server/corrections/review.ts';
import { supersessionJob } from '../../../server/corrections/supersession-job.ts';
import type { JobKind } from '../../../server/jobs/job-kind.ts';
import type { Message } from '../../../server/mail/mailer.ts';
import { doNext, servicesOf } from '../field-requests/working.ts';
import { type Fixture, openFixture, smallCatalog } from '../service-fixture.ts';

let fixture: Fixture;
let services: ReturnType<typeof servicesOf>;
const mails: Message[] = [];
const calls: { headers: Record<string, unknown>; body: unknown }[] = [];
const hook = createServer((request, reply) => {
  let text = '';
  request.on('data', part => {
    text += part;
  });
  request.on('end', () => {
    calls.push({ headers: request.headers, body: JSON.parse(text) });
    reply.writeHead(204).end();
  });
});

beforeAll(async () => {
  await new Promise<void>(resolve => hook.listen(0, '127.0.0.1', resolve));
  fixture = await openFixture();
  const send = async (message: Message) => void mails.push(message);
  services = servicesOf(fixture, { mailer: { leaves: false, send, close: () => {} } });
});
afterAll(async () => {
  hook.close();
  await fixture[Symbol.asyncDispose]();
});

let value = 100;
async function filed(callback: object | null): Promise<string> {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/corrections',
    headers: { authorization: `Bearer ${fixture.token}` },
    payload: {
      field: 'elevation',
      lat: 44.8 + value / 1_000,
      lng: -68.77,
      value: value++,
      evidence: { url: 'https://surveys.example.org/17', note: 'SECRET WORDS' },
      ...(callback ? { callback } : {}),
    },
  });
  expect(reply.statusCode, reply.body).toBe(202);
  return reply.json().correction_id;
}
const step = (id: string, reason = 'The survey says so.') => ({ id, by: 'ada', reason, now: fixture.clock.now() });
const delivered = () => doNext(services, correctionDeliveryJob as JobKind<never>);
const stepsOf = async (id: string) => (await fixture.state.corrections.events(id)).map(({ reason }) => reason);

it('an outcome is posted to the webhook with the correction, its reason and what the source said', async () => {
  const { port } = hook.address() as AddressInfo;
  const id = await filed({ webhook_url: `http://127.0.0.1:${port}/hook` });
  await acceptCorrection(fixture.state, smallCatalog, step(id));
  expect(await delivered()).toMatchObject({ status: 'done' });
  expect(calls).toMatchObject([
    {
      headers: { 'x-service-event': 'correction_accepted', 'x-service-delivery': `${id}:correction_accepted` },
      body: { event_type: 'correction_accepted', status: 'accepted', correction_id: id, reason: 'The survey says so.' },
    },
  ]);
  expect(await stepsOf(id)).toContain('told by webhook that it is accepted');
});

it('without a callback the outcome is mailed to the account, once it is known who owns it', async () => {
  const unknown = await filed(null);
  await takeStep(fixture.state, 'rejected', step(unknown, 'It is another house.'));
  await delivered();
  expect(mails).toEqual([]);
  expect((await stepsOf(unknown)).at(-1)).toMatch(/no verified address/);
  await fixture.app.inject({
    url: '/v1/users/me/usage',
    headers: { authorization: `Bearer ${await fixture.session()}` },
  });
  const id = await filed(null);
  await takeStep(fixture.state, 'rejected', step(id, 'It is another house.'));
  await delivered();
  expect(mails).toMatchObject([{ to: 'someone@example.org', subject: `Your correction was not accepted (${id})` }]);
  expect(mails[0]!.text).toContain('It is another house.');
  expect(mails[0]!.text).not.toContain('SECRET');
  expect((await stepsOf(id)).at(-1)).toBe('told by mail that it is rejected');
});

it('an address that its owner did not confirm is asked first, and the message waits', async () => {
  const id = await filed({ email: 'stranger@example.net' });
  await takeStep(fixture.state, 'rejected', step(id));
  mails.length = 0;
  expect(await delivered()).toMatchObject({ status: 'waiting', attempt: 1 });
  expect(mails).toMatchObject([{ to: 'stranger@example.net', subject: expect.stringMatching(/^May Plat/) }]);
});

it('an outcome that another one followed is not told late: its own message was told or will be', async () => {
  const { port } = hook.address() as AddressInfo;
  const id = await filed({ webhook_url: `http://127.0.0.1:${port}/hook` });
  calls.length = 0;
  await acceptCorrection(fixture.state, smallCatalog, step(id));
  await takeStep(fixture.state, 'rejected', step(id, 'It is another house.'));
  while (
    (await fixture.state.jobs.jobs({ kind: correctionDeliveryJob.name, status: 'waiting', limit: 9 })).some(({ key }) =>
      key?.startsWith(id),
    )
  )
    await delivered();
  expect(calls.map(({ body }) => body)).toMatchObject([{ event_type: 'correction_rejected', status: 'rejected' }]);
});

it('an accepted one is superseded once its source says the same, and not before', async () => {
  const [same, other, down] = [await filed(null), await filed(null), await filed(null)];
  for (const id of [same, other, down]) await acceptCorrection(fixture.state, smallCatalog, step(id));
  const rows = await Promise.all([same, other, down].map(id => fixture.state.corrections.correction(id)));
  const says = new Map([
    [rows[0]!.place.lat, { value: rows[0]!.value, status: 'ok' }],
    [rows[1]!.place.lat, { value: rows[1]!.value, status: 'ok', source: 'correction:test_dem' }],
    [rows[2]!.place.lat, { value: null, status: 'failed' }],
  ]);
  const read = fixture.engine.fetch.bind(fixture.engine);
  fixture.engine.fetch = async (names, point, options) => {
    const answers = await read(names, point, options);
    return Object.fromEntries(names.map(name => [name, { ...answers[name]!, ...says.get(point.lat) }])) as never;
  };
  // A field that this build does not know any more ends nothing of the others.
  const gone = { correction_id: 'cor_0', field: 'no_more', also: [], dataset: 'd', value: 1, parcel_id: null };
  await fixture.state.corrections.adopt([
    { ...gone, lat: 44.8, lng: -68.77, evidence_url: null, accepted_at: '2026-11-26T06:00:00.000Z' },
  ]);
  const round = async () => {
    await fixture.state.jobs.enqueue({
      kind: supersessionJob.name,
      key: null,
      account: null,
      data: {},
      attempts: 1,
      retryMs: 1,
      mostMs: 1,
    });
    await doNext(services, supersessionJob as JobKind<never>);
  };
  await round();
  const statusOf = async (id: string) => (await fixture.state.corrections.correction(id))!.status;
  expect([await statusOf(same), await statusOf(other), await statusOf(down)]).toEqual([
    'superseded',
    'accepted',
    'accepted',
  ]);
  // What could not be read is read again in the same release, and the rest is not.
  fixture.engine.calls.length = 0;
  await round();
  expect(fixture.engine.calls.map(({ point }) => point.lat)).toEqual([rows[2]!.place.lat]);
  expect((await fixture.state.corrections.accepted()).map(({ correction_id: id }) => id)).not.toContain(same);
});

it('a step that may not be taken is refused with what it would take', async () => {
  const id = await filed(null);
  await takeStep(fixture.state, 'rejected', step(id));
  await expect(acceptCorrection(fixture.state, smallCatalog, step(id))).rejects.toThrow(
    /is rejected; it must be received or in_review/,
  );
  await expect(takeStep(fixture.state, 'in_review', step('cor_none'))).rejects.toThrow(StepRefused);
});
