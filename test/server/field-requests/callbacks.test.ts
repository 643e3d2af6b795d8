import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Callbacks } from '../../../server/callbacks.ts';
import { deliveryJob } from '../../../server/field-requests/callbacks/delivery-job.ts';
import { deliveryOf, screeningCompleted } from '../../../server/field-requests/callbacks/news.ts';
import { smtpMailer } from '../../../server/mail/smtp.ts';
import { addresseeOf } from '../../../server/state/field-requests/mail-consents.ts';
import type { Callback } from '../../../server/state/field-requests/row.ts';
import { createSafeClient } from '../../../server/upstream/safe-client.ts';
import { openNameServer } from '../http/name-server.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { doNext, filingOf, servicesOf } from './working.ts';

const HOUR_MS = 3_600_000;

/** What a webhook was sent, and what it answers. */
const heard: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let answer: { status: number; headers?: Record<string, string> } = { status: 204 };
const hook = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  heard.push({ path: request.url!, headers: request.headers, body });
  response.writeHead(answer.status, answer.headers).end();
});
let fixture: Fixture;
let url: string;
beforeAll(async () => {
  fixture = await openFixture();
  const { address } = addresseeOf('me@example.org');
  await fixture.state.fieldRequests.confirmMail(fixture.account.id, address, fixture.clock.now(), deliveryOf);
  await new Promise<void>(done => hook.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
});
afterAll(async () => {
  hook.close();
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  heard.length = 0;
  answer = { status: 204 };
});

/** A request that was screened, with news that wait. */
async function told(callback: Callback) {
  const filing = filingOf(fixture, { callback });
  const { fieldRequests } = fixture.state;
  await fieldRequests.file(filing);
  const step = { id: filing.id, by: 'test', reason: '', now: fixture.clock.now() };
  await fieldRequests.move({ ...step, from: ['received'], to: 'screening' });
  await fieldRequests.move({ ...step, from: ['screening'], to: 'rejected', disposition: [], news: screeningCompleted });
  return filing.id;
}
const send = (callbacks: Partial<Callbacks> = {}) => doNext(servicesOf(fixture, callbacks), deliveryJob);
const delivery = async (requestId: string) =>
  (await fixture.state.fieldRequests.deliveries({ requestId, limit: 1 }))[0]!;

describe('a webhook', () => {
  it('is sent the event with its headers, unsigned', async () => {
    const id = await told({ webhook_url: `${url}/hook?a=1` });
    await send();
    expect(heard).toHaveLength(1);
    const [{ path, headers, body }] = heard as [(typeof heard)[number]];
    expect(path).toBe('/hook?a=1');
    expect(headers).toMatchObject({
      'x-service-event': 'screening_completed',
      'x-service-delivery': `${id}:screening_completed`,
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(body)).toEqual({ request_id: id, status: 'rejected', disposition: [] });
    expect(await delivery(id)).toMatchObject({ status: 'delivered', error: null });
  });

  it('is signed as Standard Webhooks say where a secret is set', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const id = await told({ webhook_url: url });
    const now = fixture.clock.time;
    fixture.clock.time = Date.now();
    await send({ secret });
    fixture.clock.time = now;
    const [{ headers, body }] = heard as [(typeof heard)[number]];
    expect(headers['webhook-id']).toBe(`${id}:screening_completed`);
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ request_id: id });
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  it('that fails is called again, to where the request wants it then; redirects are not followed', async () => {
    const id = await told({ webhook_url: `${url}/old` });
    answer = { status: 302, headers: { location: `${url}/elsewhere` } };
    const job = await send();
    expect(job).toMatchObject({ status: 'waiting', error: expect.stringContaining('302') });
    expect(job!.startAfter).toBeGreaterThan(job!.createdAt);
    expect(heard.map(({ path }) => path)).toEqual(['/old']);
    expect((await delivery(id)).status).toBe('waiting');
    await fixture.state.jobs.cancel(job!.id);
    await fixture.state.jobs.enqueue(deliveryOf(await delivery(id), fixture.account.id));
    answer = { status: 200 };
    await send();
    expect(heard).toHaveLength(2);
    expect((await delivery(id)).status).toBe('delivered');
  });

  it('that fails for three days is a dead letter, which can be sent again', async () => {
    const id = await told({ webhook_url: url });
    answer = { status: 500 };
    fixture.clock.time += 72 * HOUR_MS;
    expect((await send())?.status).toBe('failed');
    const dead = await delivery(id);
    expect(dead).toMatchObject({ status: 'failed', error: 'the webhook answered 500; expected 200 to 299' });
    const resend = () => fixture.state.fieldRequests.resend(dead, deliveryOf, fixture.clock.now());
    expect(await resend()).toBe(true);
    // It waits already.
    expect(await resend()).toBe(false);
    answer = { status: 200 };
    await send();
    expect((await delivery(id)).status).toBe('delivered');
    fixture.clock.time -= 72 * HOUR_MS;
  });

  it('that answers 410 hears no more of the request, unless another took its place', async () => {
    const id = await told({ webhook_url: url, email: 'me@example.org' });
    answer = { status: 410 };
    const rows = await fixture.state.fieldRequests.deliveries({ requestId: id, limit: 5 });
    for (const _ of rows) await send();
    expect(await delivery(id)).toMatchObject({ channel: 'email', status: 'delivered' });
    expect((await fixture.state.fieldRequests.deliveries({ requestId: id, status: 'ended', limit: 5 })).length).toBe(1);
    expect((await fixture.state.fieldRequests.find(id))!.callback).toEqual({ email: 'me@example.org' });
  });

  it('that leads to what is not public is not called, also when its name says so only now', async () => {
    await using names = await openNameServer();
    names.names.set('hook.example', { A: [['127.0.0.1']] });
    const client = createSafeClient({ nameServers: [names.address] });
    const port = url.split(':')[2];
    for (const [webhook_url, status] of [
      [url, 'failed'],
      [`https://[::ffff:127.0.0.1]:${port}/`, 'failed'],
      // As one that leads nowhere, which may do so tomorrow.
      [`https://hook.example:${port}/`, 'waiting'],
    ] as const) {
      const id = await told({ webhook_url });
      expect((await send({ client }))?.status).toBe(status);
      const error = status === 'failed' ? expect.stringContaining('was not called') : null;
      expect(await delivery(id)).toMatchObject({ status, error });
    }
    expect(heard).toEqual([]);
  });
});

describe('mail', () => {
  it('ends in the machine-readable document, fenced, and reaches a mail server', async () => {
    const messages: { readonly to: string[]; readonly text: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        let text = '';
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
        });
        stream.on('end', () => {
          messages.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const mailer = smtpMailer(
      `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
      'Plat <plat@example.org>',
    );
    try {
      const id = await told({ email: 'me@example.org' });
      await send({ mailer, publicUrl: 'https://plat.example.org' });
      expect(messages).toHaveLength(1);
      expect(messages[0]!.to).toEqual(['me@example.org']);
      const plain = messages[0]!.text.replace(/=\r\n/g, '').replaceAll('=3D', '=').replaceAll('\r\n', '\n');
      expect(plain).toContain(`https://plat.example.org/v1/field-requests/${id}`);
      const [, fenced] = /```json\n(.*?)\n```\s*$/s.exec(plain)!;
      expect(JSON.parse(fenced!)).toEqual({ request_id: id, status: 'rejected', disposition: [] });
      expect((await delivery(id)).status).toBe('delivered');
    } finally {
      mailer.close();
      await new Promise<void>(done => server.close(() => done()));
    }
  });
});
