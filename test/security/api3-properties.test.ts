// OWASP API3:2023, broken object property level authorization: nothing is taken that is not described, nothing told either.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECRET } from '../server/service-fixture.ts';
import { bearer, bodySchema, call, isGood, type Operation, objectFor, openWorld, type World } from './world.ts';

/** What somebody would like to set who knows how such services keep accounts, tokens and charges. */
const PRIVILEGED = {
  account_id: '00000000-0000-4000-8000-000000000000',
  accountId: '00000000-0000-4000-8000-000000000000',
  owner: 'bob@example.org',
  email_verified: true,
  plan: 'market',
  role: 'admin',
  is_admin: true,
  scope: '*',
  id: 'mine',
  jti: 'mine',
  credits: 0,
  price: 0,
  disabled_at: null,
  status: 'ready',
  recoverable: true,
  created_at: '2020-01-01T00:00:00.000Z',
  constructor: { prototype: { plan: 'market' } },
};

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const withBody = () => world.operations.filter(operation => operation.entry.body);

/** The body again for each object in it, with one more key there. */
function* widened(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) for (const wider of widened(value[i])) yield value.with(i, wider);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, account_id: 'x' };
    for (const [key, inner] of Object.entries(value))
      for (const wider of widened(inner)) yield { ...value, [key]: wider };
  }
}

const idsOf = (operation: Operation) =>
  operation.entry.object ? objectFor(world, operation, world.ann) : Promise.resolve({});

it('a key that is not described is refused with 422 by every operation with a body, at every depth, and changes nothing', async () => {
  const { ann, fixture } = world;
  for (const operation of withBody()) {
    const ids = await idsOf(operation);
    const good = await call(world, operation, bearer(ann.session), { ids });
    expect(isGood(operation, good.status), `${operation.name}: ${good.status} ${good.text}`).toBe(true);
    const inBody = Object.fromEntries(Object.entries(ids).filter(([name]) => !operation.path.includes(`{${name}}`)));
    const body = { ...operation.entry.body, ...inBody };
    const described = bodySchema(operation)?.properties ?? {};
    const wrong = Object.entries(PRIVILEGED).flatMap(([key, value]) =>
      Object.hasOwn(described, key) ? [] : [{ ...body, [key]: value }],
    );
    const text = JSON.stringify(body).replace(/^\{/, '{"__proto__":{"plan":"market"},');
    for (const sent of [...wrong, ...widened(body), text]) {
      const { status, json } = await call(world, operation, bearer(ann.session), { ids, body: sent });
      expect(status, `${operation.name} ${JSON.stringify(sent)}: ${JSON.stringify(json)}`).toBe(422);
    }
  }
  expect(({} as { plan?: string }).plan).toBeUndefined();
  expect(await fixture.state.account(ann.account.email)).toEqual(ann.account);
  // Of every good request one object, of those that were refused none.
  expect(await fixture.state.tokens(ann.account.id)).toHaveLength(2);
});

/** A schema under which nothing may come that it does not name. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return inner.properties && inner.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
};

it('an answer holds what its schema names and nothing else, and nobody’s id, secret or other address', async () => {
  const { fixture, operations, ann, bob } = world;
  const document = (await fixture.app.inject('/v1/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const operation of operations.filter(({ entry }) => !entry.endless)) {
    const ids = await idsOf(operation);
    const { status, text, json } = await call(world, operation, bearer(ann.session), { ids });
    expect(isGood(operation, status), `${operation.name}: ${text}`).toBe(true);
    const schema = operation.described.responses[status]?.content?.['application/json']?.schema;
    if (json !== null && schema && operation.name !== 'GET /v1/openapi.json') {
      const validate = ajv.compile(strict({ ...schema, components: document.components }) as object);
      expect(validate(json) || validate.errors, operation.name).toBe(true);
    }
    // The key that a receipt is checked with is public.
    const secrets = /receipts|openapi/.test(operation.name) ? [SECRET, '$scrypt'] : [SECRET, 'key_id', '$scrypt'];
    for (const hidden of [ann.account.id, bob.account.id, bob.account.email, bob.token, ...secrets])
      expect(text.includes(hidden), `${operation.name} tells ${hidden}`).toBe(false);
  }
});
