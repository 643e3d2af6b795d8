import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { takesGzip } from '../../../server/http/accept-encoding.ts';
import { webRoutes } from '../../../server/web/route.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const ask = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });
const zipped = (url: string) => ask(url, { 'accept-encoding': 'gzip' });

describe('what is the same for everybody', () => {
  it.each(['/v1/openapi.json', '/v1/meta/fields', '/v1/docs'])(
    '%s is sent compressed to those that take it, the first of them too, with the same content',
    async url => {
      const small = await zipped(url);
      const plain = await ask(url);
      expect(small.headers['content-encoding']).toBe('gzip');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(small.headers.vary).toBe('Accept-Encoding');
      expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      for (const name of ['content-type', 'content-security-policy', 'cache-control'])
        expect(small.headers[name]).toBe((await ask(url)).headers[name]);
      expect(small.headers['x-request-id']).not.toBe(plain.headers['x-request-id']);
    },
  );

  it('files of the explorer are sent compressed to the first who asks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plat-built-'));
    const app = fastify();
    try {
      mkdirSync(join(folder, 'assets'));
      const text = 'const word = 1;\n'.repeat(1_000);
      writeFileSync(join(folder, 'assets', 'page.js'), text);
      webRoutes(app, null, folder);
      const reply = await app.inject({ url: '/assets/page.js', headers: { 'accept-encoding': 'gzip' } });
      expect(reply.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(reply.rawPayload).toString()).toBe(text);
      const better = await app.inject({ url: '/assets/page.js', headers: { 'accept-encoding': 'gzip, deflate, br' } });
      expect(better.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(better.rawPayload).toString()).toBe(text);
      expect(new Set([reply.headers.etag, better.headers.etag]).size).toBe(2);
      for (const accepted of ['*', 'gzip, br;q=0'])
        expect(
          (await app.inject({ url: '/assets/page.js', headers: { 'accept-encoding': accepted } })).headers[
            'content-encoding'
          ],
        ).toBe('gzip');
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is made once: the description is not written again for each request', async () => {
    const made = vi.spyOn(fixture.app, 'swagger');
    for (let i = 0; i < 20; i++) await ask('/v1/openapi.json');
    expect(made.mock.calls.length).toBeLessThanOrEqual(1);
    made.mockRestore();
  });

  it('either form of the catalog is known again by its own tag', async () => {
    const small = await zipped('/v1/meta/fields');
    const plain = await ask('/v1/meta/fields');
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    for (const etag of [small.headers.etag, plain.headers.etag] as string[]) {
      const again = await ask('/v1/meta/fields', { 'if-none-match': etag });
      expect(again.statusCode).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
    }
  });

  it.each([
    [undefined, false],
    ['gzip', true],
    ['GZIP;q=0.5, br', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['identity, br', false],
  ])('Accept-Encoding %s takes gzip: %s', (header, expected) => {
    expect(takesGzip(header)).toBe(expected);
  });
});
