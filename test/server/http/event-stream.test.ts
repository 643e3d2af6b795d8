import { expect, it } from 'vitest';
import { eventStream } from '../../../server/http/event-stream.ts';
import { roomyApp } from './roomy-app.ts';

it('a silent stream opens with a heartbeat, which clients pass over, and goes on', async () => {
  const app = roomyApp();
  app.get('/', async (_, reply) => {
    const stream = eventStream(reply, 5);
    while (!stream.open) await new Promise(resolve => setTimeout(resolve, 1));
    stream.send('final', { text: 'two\nlines' });
    stream.end();
    stream.send('late', {});
    return reply;
  });
  const response = await app.inject('/');
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(response.body).toMatch(/^(?:: waiting\n\n)+event: final\ndata: \{"text":"two\\nlines"\}\n\n$/);
  await app.close();
});

it('a stream that was never opened leaves the response to its route', async () => {
  const app = roomyApp();
  app.get('/', async (_, reply) => {
    eventStream(reply).end();
    return { plain: true };
  });
  expect((await app.inject('/')).json()).toEqual({ plain: true });
  await app.close();
});
