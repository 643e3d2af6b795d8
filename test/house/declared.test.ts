import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCommands, ROOMS } from '../../plat.ts';
import { ROUTE_SCOPES } from '../../server/auth/route-scopes.ts';
import { exampleBodies } from '../../server/docs/page/example-bodies.ts';
import { TOOLS } from '../../server/mcp/registry.ts';
import { PREFIX } from '../../server/mcp/tool.ts';
import { hasOwnTool } from '../../server/operation/operation.ts';
import { PRICES } from '../../server/operations/prices.ts';
import { OPERATIONS } from '../../server/operations/registry.ts';
import { ROUTES } from '../security/routes.ts';
import { openFixture } from '../server/service-fixture.ts';
import { filesBelow, root } from './files.ts';

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody?: object;
}

const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** What nobody would ask the price of: it tells how far a set-up has come. */
const UNSOLD = ['POST /v1/onboarding/{attempt_id}/progress'];

/** They are older than the ending: a count says `at_least`, the others `warnings`. */
const WITHOUT_ENDING = ['searchCount', 'searchTiles', 'rank', 'aggregate'];

/** The word of an operation in a shared tool, or the name of its own. */
const toolName = ({ tool }: Pick<(typeof OPERATIONS)[number], 'tool'>) =>
  tool.tool === 'own' ? PREFIX + tool.name : tool.operation;

/** What stands nowhere where it must, with the place and what to write there: a line each. */
class Missing {
  readonly lines: string[] = [];

  unless(isThere: boolean, what: string, remedy: string): void {
    if (!isThere) this.lines.push(`${what}: ${remedy}`);
  }
}

let operations: (Described & { readonly route: string })[];
beforeAll(async () => {
  await using fixture = await openFixture();
  const { paths } = (await fixture.app.inject('/v1/openapi.json')).json() as {
    paths: Record<string, Record<string, Described>>;
  };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ ...described, route: `${method.toUpperCase()} ${path}` })),
  );
});

describe('everything stands wherever it must', () => {
  it('every operation', () => {
    const missing = new Missing();
    const examples = exampleBodies(null);
    const declared = new Map<string, (typeof OPERATIONS)[number]>(OPERATIONS.map(each => [each.route, each]));
    const caching = text('test/security/caching.test.ts');
    for (const { route, operationId, security, requestBody } of operations) {
      const own = declared.get(route);
      const scopes = own?.scopes ?? ROUTE_SCOPES[route];
      const takesTokens = security.some(one => Object.hasOwn(one, 'bearer'));
      missing.unless(!takesTokens || scopes !== undefined, route, 'say its scopes in server/auth/route-scopes.ts');
      const priced = PRICES.some(({ endpoint }) => route === endpoint || route.startsWith(`${endpoint}/`));
      const isSold = route.startsWith('POST ') && scopes?.some(scope => scope !== 'write') && !UNSOLD.includes(route);
      missing.unless(!isSold || priced, route, 'say its price in server/plans.ts, also where it is 0');
      missing.unless(
        !requestBody || Object.hasOwn(examples, operationId),
        route,
        `give ${operationId} a body in server/docs/page/example-bodies.ts`,
      );
      missing.unless(Object.hasOwn(ROUTES, route), route, 'give it a line in test/security/routes.ts');
      const registered = route.replaceAll('{', ':').replaceAll('}', '');
      missing.unless(
        own !== undefined || caching.includes(`'${registered}'`),
        route,
        'say what caches may do with it in test/security/caching.test.ts',
      );
    }
    expect(operations.length).toBeGreaterThan(50);
    expect(missing.lines).toEqual([]);
  });

  it('every operation that declares itself is a route, and its names are its own', () => {
    const missing = new Missing();
    for (const { route, id, tool, command } of OPERATIONS) {
      const described = operations.find(each => each.route === route);
      missing.unless(
        described?.operationId === id,
        route,
        'server/operations/route.ts does not register it as declared',
      );
      for (const [what, own] of [
        ['operationId', (each: (typeof OPERATIONS)[number]) => each.id === id],
        ['word of the tool', (each: (typeof OPERATIONS)[number]) => toolName(each) === toolName({ tool })],
        ['command', (each: (typeof OPERATIONS)[number]) => each.command.name === command.name],
      ] as const)
        missing.unless(OPERATIONS.filter(own).length === 1, route, `another operation has its ${what}: choose one`);
    }
    expect(missing.lines).toEqual([]);
  });

  // docs/sets.md, Exact, or it says what is missing. test/server/sets/every-set.test.ts asks each.
  it('every answer about a set says what it could not tell', () => {
    const missing = new Missing();
    for (const { id, route, body, response } of OPERATIONS) {
      if (!Object.hasOwn(Object((body as { properties?: object }).properties), 'filters')) continue;
      const text = JSON.stringify(response);
      missing.unless(
        text.includes('"warnings"'),
        route,
        'answer `warnings` (WARNINGS of server/sets/filter-schema.ts)',
      );
      // Of one parcel nothing is counted.
      missing.unless(text.includes('"unknown"') || id === 'searchExplain', route, 'answer `unknown` (UNKNOWN, there)');
      const ends = text.includes('"completion_reason"') || WITHOUT_ENDING.includes(id);
      missing.unless(ends, route, 'end with `status` (ENDING, there, and endOf of server/sets/answer.ts)');
    }
    expect(missing.lines).toEqual([]);
  });

  it('every operation is explained to readers, beside the table that make docs writes', () => {
    const missing = new Missing();
    const changes = text('CHANGELOG.md');
    for (const { route, page } of OPERATIONS) {
      const own = text(page).replace(/<!-- operations, [\s\S]*?<!-- end of operations -->/g, '');
      const named = new RegExp(`${route.slice('POST '.length)}(?![\\w/])`);
      missing.unless(named.test(own), route, `give it a section in ${page}, outside of the table`);
      missing.unless(named.test(changes), route, 'give it a line in CHANGELOG.md, under Unreleased');
    }
    expect(missing.lines).toEqual([]);
  });

  it('every tool', () => {
    const missing = new Missing();
    const bodies = text('test/server/mcp/texts.test.ts');
    const files = filesBelow('server/mcp/tools').map(text).join('\n');
    const routes = new Set(operations.map(({ route }) => route));
    // Their bodies are those of their operations.
    const own = new Set(OPERATIONS.filter(hasOwnTool).map(({ tool }) => tool.name));
    for (const { name, forms } of TOOLS) {
      const tool = PREFIX + name;
      missing.unless(
        own.has(name) || new RegExp(`^ {2}${name}: \\[`, 'm').test(bodies),
        tool,
        'give it bodies in test/server/mcp/texts.test.ts',
      );
      for (const { route } of forms)
        missing.unless(route === null || routes.has(route), tool, `its route ${route} is no operation`);
    }
    // A file of a tool that is in no list is a tool that nobody can call.
    const made = [...files.matchAll(/^export const (\w+): Tool\b/gm)].map(([, name]) => name!);
    const registry = text('server/mcp/registry.ts');
    for (const name of made) missing.unless(registry.includes(`  ${name},`), name, 'add it to server/mcp/registry.ts');
    expect(missing.lines).toEqual([]);
  });

  it('every command', async () => {
    const missing = new Missing();
    for (const { words, load } of ROOMS)
      for (const { name } of (await load()).commands)
        missing.unless(words.includes(name.split(' ')[0]!), `plat ${name}`, 'add its first word to ROOMS in plat.ts');
    const all = await loadCommands();
    const isThere = (name: string) => all.some(command => command.name === name);
    for (const { route, command } of OPERATIONS)
      missing.unless(isThere(command.name), route, `plat ${command.name} is not made`);
    expect(missing.lines).toEqual([]);
  });
});
