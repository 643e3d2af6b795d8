// What registries and agents find of the service: server.json, and the skill.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { SKILL } from '../../../server/agent/skill.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { PREFIX } from '../../../server/mcp/tool.ts';
import { VERSION } from '../../../server/version.ts';
import { faultsOf, PUBLISHED, REGISTRY_ENTRY } from './registry-entry.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));

const server = read('server.json');

it('server.json is one that the registry takes, and of this version', () => {
  const { version, mcpName } = read('package.json');
  expect(faultsOf(REGISTRY_ENTRY, server)).toEqual([]);
  expect([server.name, server.version, VERSION]).toEqual([mcpName, version, version]);
  const [{ url, variables, headers }] = server.remotes;
  expect(url).toMatch(/\/mcp$/);
  const named = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(variables)).toEqual(named);
  for (const header of headers) expect(header).toMatchObject({ isSecret: true });
});

it.each<[fault: string, changed: object]>([
  ['a name without its namespace', { name: 'plat' }],
  ['a description of more than 100 characters', { description: 'a'.repeat(101) }],
  ['a range of versions', { version: '^0.1.0' }],
  ['a transport that it does not know', { remotes: [{ ...server.remotes[0], type: 'http' }] }],
  ['an address that is none', { remotes: [{ type: 'sse', url: 'https://{host/mcp' }] }],
  ['a variable of no known form', { remotes: [{ ...server.remotes[0], variables: { host: { format: 'host' } } }] }],
  ['a header without a name', { remotes: [{ ...server.remotes[0], headers: [{ isSecret: true }] }] }],
])('the registry does not take %s', (_, changed) => {
  expect(faultsOf(REGISTRY_ENTRY, { ...server, ...changed })).not.toEqual([]);
});

// The file that server.json names, where somebody has put it beside the other published files.
it.skipIf(!existsSync(PUBLISHED))('server.json passes the schema that the registry publishes', () => {
  const published = JSON.parse(readFileSync(PUBLISHED, 'utf8'));
  expect(published.$id).toBe(server.$schema);
  expect(faultsOf(published, server)).toEqual([]);
  expect(faultsOf(published, { ...server, description: 'a'.repeat(101) })).not.toEqual([]);
});

// https://agentskills.io/specification: the front matter, and what a body may take of a window.
it('the skill is one by its specification, and names every tool', () => {
  const [, front, body] = /^---\n([\s\S]+?)\n---\n([\s\S]+)$/.exec(SKILL)!;
  const { name, description, ...rest } = parse(front!);
  expect(rest).toEqual({});
  expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  expect(name.length).toBeLessThanOrEqual(64);
  expect(description.trim().length).toBeGreaterThan(0);
  expect(description.length).toBeLessThanOrEqual(1_024);
  expect(body!.split('\n').length).toBeLessThan(500);
  for (const tool of TOOLS) if (tool.when !== null) expect(body).toContain(`\`${PREFIX}${tool.name}\``);
});
