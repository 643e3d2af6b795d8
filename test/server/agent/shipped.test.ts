// What registries and agents find of the service: server.json, and the skill.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { SKILL } from '../../../server/agent/skill.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { PREFIX } from '../../../server/mcp/tool.ts';
import { VERSION } from '../../../server/version.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));

// The registry's schema of 2025-12-11 and its rules for publishing, as far as a server at an address is concerned.
it('server.json is one that the registry takes, and of this version', () => {
  const server = read('server.json');
  const { version, mcpName } = read('package.json');
  expect(server.$schema).toMatch(
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/,
  );
  expect([server.name, server.version, VERSION]).toEqual([mcpName, version, version]);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  for (const text of [server.title, server.description]) expect(text.length).toBeLessThanOrEqual(100);
  expect(Object.keys(server).sort()).toEqual(['$schema', 'description', 'name', 'remotes', 'title', 'version']);
  expect(server.remotes).toHaveLength(1);
  for (const { type, url, variables, headers } of server.remotes) {
    expect(type).toBe('streamable-http');
    expect(url).toMatch(/^https:\/\/\S+\/mcp$/);
    const named = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(variables)).toEqual(named);
    for (const header of headers) expect(header).toMatchObject({ name: expect.any(String), isSecret: true });
  }
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
