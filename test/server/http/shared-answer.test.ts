import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { takesGzip } from '../../../server/http/accept-encoding.ts';
import { SharedAnswers } from '../../../server/http/shared-answer.ts';
import { webRoutes } from '../../../server/web/route.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  fixture.engine.sources = Array.from({ length: 8 }, (_, i) => ({
    ...{ dataset: 'roads', layer: 'main', place: `place-${i}`, state: null, county: null, source: 'roads' },
    ...{
      title: 'Roads',
      publisher: 'Highways',
      url: null,
      licence: 'public domain',
      vintage: `${2000 + i}`,
      note: null,
    },
    ...{ synthetic: false, retrievedAt: '2026-01-01T00:00:00.000Z', rows: 7, ground: 0, coverage: 'everywhere' },
    ...{ box: null, unpublished: [] },
  }));
});
afterAll(() => fixture[Symbol.asyncDispose]());

const ask = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });
const zipped = (url: string) => ask(url, { 'accept-encoding': 'gzip' });

describe('what is the same for everybody', () => {
  it.each(['/v1/openapi.json', '/v1/meta/fields', '/v1/meta/coverage', '/v1/docs'])(
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

  it('what is told again in the same words is compressed once, and what was not asked for lately makes room', () => {
    const answers = new SharedAnswers();
    const first = answers.of({ town: 0 });
    for (let town = 1; town < 16; town++) answers.of({ town });
    expect(answers.of({ town: 0 })).toBe(first);
    answers.of({ town: 16 });
    expect(answers.of({ town: 0 })).toBe(first);
    for (let town = 17; town < 33; town++) answers.of({ town });
    expect(answers.of({ town: 0 })).not.toBe(first);
  });

  it.each(['/v1/meta/fields', '/v1/meta/coverage'])('either form of %s is known again by its own tag', async path => {
    const small = await zipped(path);
    const plain = await ask(path);
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    for (const etag of [small.headers.etag, plain.headers.etag] as string[]) {
      const again = await ask(path, { 'if-none-match': etag });
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
