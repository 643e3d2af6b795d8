import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ plan: 'free' });
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const call = (name: string, req: object, progress = false) =>
  fixture.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${fixture.token}`, accept: 'application/json, text/event-stream' },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { req }, ...(progress && { _meta: { progressToken: 'p' } }) },
    },
  });

/** The last message of an answer, in one piece or as events. */
const messageOf = (body: string) => {
  const events = [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!);
  return JSON.parse(events.at(-1) ?? body);
};

it.each([false, true])(
  'a tool that is metered says what it cost and what is left, with progress: %s',
  async progress => {
    const reply = await call(
      'service_fetch',
      { lat: 44.8, lng: -68.77, fields: ['elevation', 'slope_degrees'] },
      progress,
    );
    const { result } = messageOf(reply.body);
    const told = result._meta['org.example.plat/credits'];
    expect(told).toEqual({ credits: 2, remaining: progress ? 996 : 998 });
    if (String(reply.headers['content-type']).startsWith('application/json'))
      expect([reply.headers['x-service-credits'], reply.headers['x-service-credits-remaining']]).toEqual([
        `${told.credits}`,
        `${told.remaining}`,
      ]);
  },
);

it('a tool that is free says nothing of it', async () => {
  const { result } = messageOf((await call('service_quote', { fields: ['elevation'] })).body);
  expect(result.structuredContent).toBeDefined();
  expect(result._meta ?? {}).not.toHaveProperty(['org.example.plat/credits']);
});
