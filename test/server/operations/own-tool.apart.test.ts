// An operation that is about no set: its schema judges its body, and agents have a tool of its own for it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Terminal } from '../../../query/engine/command.ts';
import { SKILL } from '../../../server/agent/skill.ts';
import { listTools } from '../../../server/mcp/listing.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { commands } from '../../../server/operations/commands.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

vi.mock('../../../server/operations/registry.ts', async original => {
  const real = await original<typeof import('../../../server/operations/registry.ts')>();
  const { defineOperation } = await import('../../../server/operation/operation.ts');
  const closed = { additionalProperties: false };
  const halved = async (_ctx: unknown, _services: unknown, { number }: { readonly number: number }) => ({
    half: number / 2,
  });
  const halving = defineOperation({
    id: 'halve',
    route: 'POST /v1/halve',
    tag: 'Data',
    summary: 'Half of a number',
    description: 'For tests.',
    judge: 'schema',
    body: Type.Object({ number: Type.Number() }, { ...closed, examples: [{ number: 3 }] }),
    response: Type.Object({ half: Type.Number() }, closed),
    errors: ['credits_exhausted'],
    scopes: ['spend'],
    price: { credits: 2, unit: 'per call' },
    rate: 'plan',
    withoutState: false,
    limitMs: 5_000,
    example: () => ({ number: 3 }),
    tool: {
      tool: 'own',
      name: 'halve',
      title: 'Half of a number',
      description: 'Halves. 2 credits.',
      when: 'Half of a number',
      text: ({ half }) => ({ lines: [`It is ${half}.`] }),
    },
    command: { name: 'halve', summary: 'Halve a number' },
    page: 'docs/analysis.md',
    answer: halved,
  });
  return { OPERATIONS: [...real.OPERATIONS, halving] };
});

const folder = mkdtempSync(join(tmpdir(), 'plat-own-tool-'));
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const headers = () => ({
  authorization: `Bearer ${fixture.token}`,
  accept: 'application/json, text/event-stream',
});
const http = (payload: object) => fixture.app.inject({ method: 'POST', url: '/v1/halve', headers: headers(), payload });

async function tool(req: object) {
  const params = { name: 'service_halve', arguments: { req, view: 'full' } };
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { body } = await fixture.app.inject({ method: 'POST', url: '/mcp', headers: headers(), payload });
  return JSON.parse(/^data: ([^\n]+)$/m.exec(body)?.[1] ?? body).result;
}

const creditsUsed = async () =>
  (await fixture.app.inject({ url: '/v1/users/me/usage', headers: headers() })).json().credits_used as number;

it('a tool answers what the endpoint does, for as many credits, and says it in text', async () => {
  const before = await creditsUsed();
  const reply = await http({ number: 5 });
  expect([reply.statusCode, reply.json()]).toEqual([200, { half: 2.5 }]);
  expect((await creditsUsed()) - before).toBe(2);
  const called = await tool({ number: 5 });
  expect(called).toMatchObject({ structuredContent: { half: 2.5 }, content: [{ text: 'It is 2.5.' }] });
  expect((await creditsUsed()) - before).toBe(4);
});

it('both refuse a body of another shape alike, at no charge', async () => {
  const before = await creditsUsed();
  const reply = await http({ number: 'x', more: 1 });
  expect(reply.statusCode).toBe(422);
  expect(
    reply
      .json()
      .detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
      .sort(),
  ).toEqual(['body.more', 'body.number']);
  const called = await tool({ number: 'x', more: 1 });
  expect([called.isError, called.structuredContent]).toEqual([true, reply.json()]);
  expect(await creditsUsed()).toBe(before);
});

it('the list of tools has its body, and the skill says when it is called', () => {
  const [listed] = listTools(
    TOOLS.filter(({ name }) => name === 'halve'),
    catalog,
    { parcels: true, owners: true, roads: true, lackingSets: [] },
  );
  expect(listed).toMatchObject({ name: 'service_halve', annotations: { readOnlyHint: true } });
  expect(listed!.inputSchema.properties).toMatchObject({ req: { properties: { number: { type: 'number' } } } });
  expect(SKILL).toContain('Half of a number: `service_halve`.');
});

it('its command says where a body has another shape', async () => {
  const command = commands.find(({ name }) => name === 'halve')!;
  const file = join(folder, 'question.json');
  writeFileSync(file, '{"number": "x"}');
  const run = () => command.run([file], {}, { json: true, out() {}, err() {} } as unknown as Terminal);
  await expect(run()).rejects.toThrow('halve: body.number: Input should be a valid number');
});
