// What npm shows of @plat/client, and what it promises: test/client/package.long.test.ts builds, installs and runs it.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION as OF_CLIENT } from '../../client/client.ts';
import { VERSION } from '../../server/version.ts';
import { openFixture } from '../server/service-fixture.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const versionsOf = (changes: string) => [...changes.matchAll(/^## (\d\S+)/gm)].map(([, version]) => version);

it('the package has the version of the API, and says what changed in it', () => {
  const { version, license, type, sideEffects, types, exports, dependencies } = json('client/package.json');
  expect([version, OF_CLIENT]).toEqual([VERSION, VERSION]);
  expect({ license, type, sideEffects, dependencies }).toEqual({
    license: json('package.json').license,
    type: 'module',
    sideEffects: false,
    dependencies: undefined,
  });
  expect(versionsOf(read('client/CHANGELOG.md'))).toEqual(versionsOf(read('CHANGELOG.md')));
  expect(versionsOf(read('client/CHANGELOG.md'))[0]).toBe(VERSION);
  expect(read('client/README.md')).toContain(`plat-client-${VERSION}.tgz`);
  expect(read('client/python/plat.py')).toContain(`\n__version__ = "${VERSION}"\n`);
  // Each module is written from a source of its name; what browsers load is bundled.
  const modules = [types, ...Object.values(exports as Record<string, string | object>).flatMap(of => Object.values(of))]
    .filter(path => path.endsWith('.d.ts'))
    .map(path => path.replace('/dist/', '/').replace('.d.ts', '.ts'));
  expect([...new Set(modules)]).toEqual(['./client.ts']);
  expect(existsSync(new URL('../../client/client.ts', import.meta.url))).toBe(true);
});

it('each named schema of the API description is a type of that name that says what it is', async () => {
  await using fixture = await openFixture();
  const { components } = (await fixture.app.inject('/v1/openapi.json')).json();
  const types = read('client/api/schemas.ts').matchAll(/^(?:\/\*\* (.+) \*\/\n)?export type (\w+)/gm);
  const named = Object.entries(components.schemas as Record<string, { description?: string }>);
  expect([...types].map(([, said, name]) => [name, said])).toEqual(
    named.map(([name, { description = 'what is it?' }]) => [name, description]).sort(),
  );
});
