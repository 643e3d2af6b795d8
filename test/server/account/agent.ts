import { createHash, randomBytes } from 'node:crypto';
import { Browser } from '../provider/browser.ts';
import { type Fixture, ISSUER } from '../service-fixture.ts';

const BACK = 'http://127.0.0.1:33418/callback';

/** The tokens of an agent that somebody let in. */
export interface AgentTokens {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Sends a form without a browser. */
export async function sendForm({ app }: Fixture, url: string, fields: Record<string, string>) {
  const reply = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: reply.statusCode, json: reply.body ? reply.json() : null };
}

/** Registers an agent, lets it in with a password and exchanges its code. */
export async function letIn(
  fixture: Fixture,
  who: { readonly email: string; readonly password: string },
  name = 'An agent',
  browser = new Browser(fixture.app, ISSUER),
): Promise<AgentTokens> {
  const registered = await fixture.app.inject({
    method: 'POST',
    url: '/register',
    payload: {
      client_name: name,
      redirect_uris: [BACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  });
  const { client_id } = registered.json() as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    state: 's',
    resource: `${ISSUER}/mcp`,
    scope: 'mcp',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let visit = await browser.open(`/authorize?${query}`);
  if (visit.text.includes('name="password"')) visit = await browser.send(who);
  if (visit.text.includes('name="allow"')) visit = await browser.send({ allow: 'yes' });
  const { json } = await sendForm(fixture, '/token', {
    grant_type: 'authorization_code',
    client_id,
    redirect_uri: BACK,
    code: visit.url.searchParams.get('code') ?? '',
    code_verifier: verifier,
    resource: `${ISSUER}/mcp`,
  });
  return { client_id, ...json } as AgentTokens;
}

/** Status of a call of /mcp. */
export async function callMcp({ app }: Fixture, token: string): Promise<number> {
  const reply = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  });
  return reply.statusCode;
}
