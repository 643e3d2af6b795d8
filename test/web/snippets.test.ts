import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../web/api/api-request.ts';
import { snippetsOf } from '../../web/api/snippets.ts';
import { PYTHON } from '../python.ts';

const run = promisify(execFile);

/** How each language is run, and which oracle that wants. */
const LANGUAGES: readonly {
  readonly language: string;
  readonly tags: readonly string[];
  readonly command: (code: string) => readonly [string, readonly string[]];
}[] = [
  { language: 'curl', tags: ['curl'], command: code => ['/bin/sh', ['-c', code]] },
  { language: 'Python', tags: ['Python'], command: code => [PYTHON, ['-c', code]] },
  { language: 'TypeScript', tags: [], command: code => [process.execPath, ['--input-type=module', '-e', code]] },
];

const REQUESTS: readonly ApiRequest[] = [
  {
    method: 'POST',
    path: '/v1/search',
    body: {
      filters: [
        { field: 'address', op: 'eq', value: `5 O'Brien's "Way" \\ $HOME \`id\` ñ` },
        { field: 'struct', op: 'eq', value: true },
        {
          field: 'geometry',
          op: 'within',
          value: {
            type: 'Polygon',
            coordinates: [
              [
                [1.5, 2],
                [3, 4],
                [5, -6e-7],
                [1.5, 2],
              ],
            ],
          },
        },
      ],
      fields: [],
      cursor: null,
    },
  },
  { method: 'GET', path: '/v1/users/me/usage' },
  { method: 'PATCH', path: '/v1/users/me/settings', body: { monthly_credit_limit: null } },
  { method: 'GET', path: '/v1/meta/fields', isPublic: true },
  { method: 'POST', path: '/v1/ask/stream', body: { question: 'Is it steep?', lat: 43, lng: -70 }, isStream: true },
];

describe.each(LANGUAGES)('in $language', ({ language, tags, command }) => {
  it.each(REQUESTS)('$method $path is sent as it was', { tags: [...tags] }, async request => {
    const heard: { method?: string; url?: string; authorization?: string; body: string }[] = [];
    const server = createServer(async (incoming: IncomingMessage, response) => {
      const { method, url, headers } = incoming;
      heard.push({ method, url, authorization: headers.authorization, body: await text(incoming) });
      response.setHeader('content-type', 'application/json').end('{"heard": true}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const snippet = snippetsOf(request, origin).find(one => one.language === language)!;
      const [program, args] = command(snippet.text);
      const env = { ...process.env, PLAT_TOKEN: 'a-token', no_proxy: '*' };
      const { stdout } = await run(program, [...args], { env });
      expect(JSON.parse(stdout)).toEqual({ heard: true });
      const { body, ...head } = heard.pop()!;
      expect(head).toEqual({
        method: request.method,
        url: request.path,
        authorization: request.isPublic ? undefined : 'Bearer a-token',
      });
      expect(body === '' ? undefined : JSON.parse(body)).toEqual(request.body);
    } finally {
      server.close();
    }
  });
});

it('every language is tried', () => {
  const [request] = REQUESTS;
  expect(snippetsOf(request!, 'http://127.0.0.1').map(({ language }) => language)).toEqual(
    LANGUAGES.map(({ language }) => language),
  );
});
