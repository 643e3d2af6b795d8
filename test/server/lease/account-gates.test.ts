// An account that fills the line of an expensive kind of work keeps nobody else out, through either door.
import { expect, it } from 'vitest';
import { accountGate } from '../../../server/lease/gate.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { currentOwner } from '../../../server/state/sqlite/in-name-of.ts';
import { bearer, call, openWorld, type World } from '../../security/world.ts';

/** Questions at once of all accounts; as many may wait. */
const MOST = 3;
/** Operations behind gates, and what one account hears when it fills the line. */
const GATED = [
  ['POST /v1/ask', 'ask_busy'],
  ['POST /v1/proximity', 'proximity_busy'],
  ['POST /v1/lookup', 'resolve_busy'],
] as const;

/** Calls an operation by HTTP or by its tool. @returns the code of an error, or `ok`. */
async function ask(world: World, name: string, door: 'HTTP' | 'MCP', token: string): Promise<string> {
  const operation = world.operations.find(one => one.name === name)!;
  if (door === 'HTTP') return (await call(world, operation, bearer(token))).json.detail?.error ?? 'ok';
  const tool = TOOLS.find(({ forms }) => forms.some(({ route }) => route === name))!;
  const req = operation.entry.body;
  const reply = await world.fixture.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...bearer(token), accept: 'application/json, text/event-stream' },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `service_${tool.name}`, arguments: { req } },
    },
  });
  return (
    GATED.map(([, code]) => code).find(code => reply.body.includes(code)) ??
    (reply.body.includes('"isError":true') ? reply.body : 'ok')
  );
}

it.each(GATED)('%s answers the one question of an account while another one fills the line', async (name, busy) => {
  await using world = await openWorld({
    cache: false,
    between: services => ({
      ...services,
      ask: { ...services.ask, gate: accountGate(MOST) },
      proximity: { ...services.proximity, gate: accountGate(MOST) },
      lookup: { gate: accountGate(MOST) },
    }),
  });
  const { fixture, ann, bob } = world;
  for (const door of ['HTTP', 'MCP'] as const) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    fixture.engine.before = async () => {
      if (currentOwner() !== bob.account.id) await released;
    };
    const answered: string[] = [];
    const asks = Array.from({ length: MOST - 1 + MOST + 1 }, async () => {
      answered.push(await ask(world, name, door, ann.token));
    });
    await expect.poll(() => answered, { message: `${door}: the line is full` }).toEqual([busy]);
    expect(await ask(world, name, door, bob.token), door).toBe('ok');
    expect(answered, door).toEqual([busy]);
    release();
    await Promise.all(asks);
    expect(answered, door).toEqual([busy, ...Array(asks.length - 1).fill('ok')]);
  }
});
