import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client, headOf } from '../../../ingest/acquire/client.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
let client: Client;
beforeAll(async () => void (await publisher.start()));
beforeEach(() => {
  publisher.handlers.clear();
  client = new Client({ wait: async () => {}, retries: 1 });
});
afterAll(() => publisher.stop());

describe('an answer', () => {
  const text = Array.from({ length: 4000 }, (_, i) => `${(i * 7919) % 10_007},v\n`).join('');

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that is coded as %s though it was asked for plain is read plain, and its beginning too', async (coding, code) => {
    const body = code(text);
    publisher.handlers.set('/a.csv', (request, response) => {
      const part = request.headers.range === undefined ? body : body.subarray(0, body.length >> 1);
      response.writeHead(part === body ? 200 : 206, {
        ...{ 'content-encoding': coding, 'content-length': part.length, etag: '"1"' },
      });
      response.end(part);
    });
    const at = `${publisher.origin}/a.csv`;
    expect(await client.text(at)).toBe(text);
    const { headers, isDecoded } = await client.ask(at);
    // Neither length nor tag are those of the file.
    expect([isDecoded, headers['content-length'], headers.etag]).toEqual([true, undefined, 'W/"1"']);
    const head = await headOf(await client.ask(at, { headers: { range: 'bytes=0-9' } }), 20);
    expect(text).toMatch(new RegExp(`^${head.toString()}`));
  });

  it('whose coding is damaged or ends too early is asked for again', async () => {
    const body = gzipSync(text);
    const damaged = Buffer.from(body).fill(0x41, 12, 40);
    for (const wrong of [damaged, body.subarray(0, body.length - 20)]) {
      let times = 0;
      publisher.handlers.set('/a.csv', (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(times++ === 0 ? wrong : body);
      });
      expect(await client.text(`${publisher.origin}/a.csv`)).toBe(text);
      expect(times).toBe(2);
    }
  });

  it('that is compressed by its name stays as it is, whatever its server calls it', async () => {
    const body = gzipSync(text);
    publisher.handlers.set('/a.csv.gz', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'x-gzip' }).end(body);
    });
    expect(await client.bytesOnce(`${publisher.origin}/a.csv.gz`)).toEqual(body);
  });

  it('comes to who brings back a cookie, which another host is not told', async () => {
    const other = await new Publisher().start();
    try {
      other.put('/file', 'there');
      publisher.handlers.set('/gate', ({ headers: { cookie = '' } }, response) => {
        const step = /step=(\d)/.exec(cookie)?.[1] ?? '0';
        const location = step === '2' ? `${other.origin}/file` : '/gate';
        const set = [`step=${Number(step) + 1}; Path=/; HttpOnly`, 'seen=yes'];
        response.writeHead(302, { location, 'set-cookie': set }).end();
      });
      expect(await client.text(`${publisher.origin}/gate`)).toBe('there');
      expect(other.log.map(({ headers }) => headers.cookie)).toEqual([undefined]);
    } finally {
      await other.stop();
    }
  });

  it('of JSON may begin with a mark and hold numbers that JSON does not have', async () => {
    publisher.handlers.set('/a', (_, response) => {
      response.end('\uFEFF{"x": NaN, "list": [-Infinity,1], "text": "a: NaN, \\"b\\": Infinity"}');
    });
    expect(await client.json(`${publisher.origin}/a`)).toEqual({
      ...{ x: null, list: [null, 1], text: 'a: NaN, "b": Infinity' },
    });
  });

  it('that no other try makes better is the last', async () => {
    let times = 0;
    publisher.handlers.set('/a', (_, response) => {
      times++;
      response.writeHead(501).end();
    });
    await expect(client.text(`${publisher.origin}/a`)).rejects.toMatchObject({ kind: 'forbidden', status: 501 });
    expect(times).toBe(1);
  });
});
