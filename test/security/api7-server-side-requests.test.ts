// OWASP API7:2023, server side request forgery: addresses that callers name lead nowhere but to the public internet.
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSafeClient } from '../../server/upstream/safe-client.ts';
import { type NameServer, openNameServer } from '../server/http/name-server.ts';
import { bearer, bodySchema, call, objectFor, openWorld, type Schema, type World } from './world.ts';

/** Where bodies take an address that the server will ask. A new one is a line here, and is tried with everything below. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/field-requests': ['callback.webhook_url'],
  'POST /v1/watches': ['callback.webhook_url'],
  'POST /v1/corrections': ['callback.webhook_url'],
};
/** Addresses that are kept or shown, and never asked. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/field-requests': ['known_sources.suggested.url', 'known_sources.excluded.url'],
  'POST /v1/corrections': ['evidence.url'],
};

const PRIVATE = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '①②⑦.0.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fc00::1]',
  '[2002:7f00:1::]',
];
const NAMES = ['localhost', 'inside.example', 'both.example', 'mapped.example'];
const OTHERS = [
  'file:///etc/passwd',
  'gopher://127.0.0.1/x',
  'ftp://example.org/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'http://93.184.216.34/',
  'https://user:password@93.184.216.34/',
  'https://',
  '//127.0.0.1/',
  'no address',
];

let world: World;
let names: NameServer;
let connections = 0;
const listener = createServer(socket => {
  connections++;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  names = await openNameServer();
  names.names.set('localhost', { A: [['127.0.0.1']] });
  names.names.set('inside.example', { A: [['10.1.2.3']] });
  names.names.set('both.example', { A: [['93.184.216.34', '192.168.0.1']] });
  names.names.set('mapped.example', { AAAA: [['::ffff:169.254.169.254']] });
  names.names.set('hooks.example', { A: [['93.184.216.34']] });
  world = await openWorld({ client: createSafeClient({ nameServers: [names.address] }) });
});
afterAll(async () => {
  listener.close();
  await names[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Paths of properties of a schema that look as if they took an address. */
function* addresses(schema: Schema, path: readonly string[] = []): Generator<string> {
  for (const [key, inner] of Object.entries(schema.properties ?? {}))
    if (/ur[il]|href|webhook|endpoint|callback_to/i.test(key) || inner.format === 'uri') yield [...path, key].join('.');
    else yield* addresses(inner, [...path, key]);
  if (schema.items) yield* addresses(schema.items as Schema, path);
}

it('every property that may take an address is known to these tests', () => {
  for (const operation of world.operations) {
    const found = [...addresses(bodySchema(operation) ?? {})].sort();
    const known = [...(TAKEN[operation.name] ?? []), ...(KEPT[operation.name] ?? [])].sort();
    expect(
      found,
      `${operation.name} takes an address: add it to TAKEN in this file when the server asks it, else to KEPT`,
    ).toEqual(known);
  }
});

it('private addresses in every notation, names that lead to one, and other schemes are refused without a connection', async () => {
  const { port } = listener.address() as { port: number };
  const wrong = [
    ...[...PRIVATE, ...NAMES].flatMap(host => [
      `https://${host}:${port}/`,
      `http://${host}:${port}/`,
      `https://${host}/`,
    ]),
    ...OTHERS,
  ];
  for (const [name, paths] of Object.entries(TAKEN))
    for (const path of paths) {
      const operation = world.operations.find(found => found.name === name)!;
      const ids = operation.entry.object ? await objectFor(world, operation, world.ann) : {};
      const ask = (url: string) => {
        const value = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), url);
        const body = { ...operation.entry.body, ...ids, ...(value as object) };
        return call(world, operation, bearer(world.ann.token), { body });
      };
      for (const url of wrong) {
        const { status, text } = await ask(url);
        expect(status, `${name} ${path} ${url}: ${text}`).toBe(422);
      }
      expect((await ask('https://hooks.example/plat')).status).toBeLessThan(300);
      // Names that lead inside are not told from names that lead nowhere.
      const answers = [];
      for (const host of ['inside.example', 'both.example', 'mapped.example', 'nowhere.example'])
        answers.push((await ask(`https://${host}/`)).text.replaceAll(host, 'HOST').replace(/"request_id":"[^"]*"/, ''));
      expect(new Set(answers).size).toBe(1);
    }
  expect(connections).toBe(0);
});
