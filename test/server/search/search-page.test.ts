import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageText } from '../../../query/search/page/written-page.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

it('a page is whole for a client that reads it late, though its memory is given back once it was sent', async () => {
  // More than any socket buffers.
  const match = { apn: 'x'.repeat(40_000_000) };
  fixture.engine.found = {
    matches: pageText([Buffer.from(JSON.stringify([match]))]),
    status: 'complete',
    reason: 'exhausted',
    next: null,
  };
  const address = new URL(await fixture.app.listen({ port: 0 }));
  const body = JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }] });
  const head = `POST /v1/search HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${fixture.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(address.port), address.hostname);
  socket.write(head + body);
  await sleep(200);
  // What comes now finds memory that was given back too early.
  const churn = Array.from({ length: 20 }, (_, i) => Buffer.alloc(4_000_000, i));
  const chunks: Buffer[] = [];
  let length = 0;
  let wanted = Number.POSITIVE_INFINITY;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (wanted === Number.POSITIVE_INFINITY) {
      const first = Buffer.concat(chunks).toString('latin1');
      const end = first.indexOf('\r\n\r\n');
      if (end > 0) wanted = end + 4 + Number(/content-length: (\d+)/i.exec(first)![1]);
    }
    if (length >= wanted) break;
  }
  expect(churn).toHaveLength(20);
  const answer = Buffer.concat(chunks).toString();
  const { matches } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { matches: { apn: string }[] };
  expect(matches[0]!.apn === match.apn).toBe(true);
});
