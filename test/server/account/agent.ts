import { createHash, randomBytes } from 'node:crypto';
import { Browser } from '../provider/browser.ts';
import { type Fixture, ISSUER } from '../service-fixture.ts';

/** Where agents of tests wait for their codes. */
export const BACK = 'http://127.0.0.1:33418/callback';
/** What agents of tests ask to be let in to. */
export const RESOURCE = `${ISSUER}/mcp`;

/** Whoever lets agents in. */
interface Person {
  readonly email: string;
  readonly password: string;
}

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

/** Registers an agent. @param more of what it says of itself. */
export async function registerAgent({ app }: Fixture, more: object = {}) {
  const payload = {
    client_name: 'An <agent>',
    redirect_uris: [BACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...more,
  };
  const reply = await app.inject({ method: 'POST', url: '/register', payload });
  return { status: reply.statusCode, json: reply.json() };
}

/** Takes a person to an authorization, who signs in, allows, and comes back with a code. @param more of the query; '' leaves a part out. */
export async function authorize(browser: Browser, who: Person, client_id: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    state: 's',
    resource: RESOURCE,
    scope: 'mcp',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  };
  const present = Object.entries(query).filter(([, value]) => value !== '');
  let visit = await browser.open(`/authorize?${new URLSearchParams(present)}`);
  if (visit.text.includes('name="password"')) visit = await browser.send({ ...who });
  const consent = visit;
  if (visit.text.includes('name="allow"')) visit = await browser.send({ allow: 'yes' });
  return { verifier, consent, back: visit.url.searchParams, visit, browser };
}

/** The fields with which an agent asks for the tokens of a code. */
export const codeFields = (client_id: string, code: string, code_verifier: string) => ({
  grant_type: 'authorization_code',
  client_id,
  redirect_uri: BACK,
  code,
  code_verifier,
  resource: RESOURCE,
});

/** Registers an agent, lets it in with a password and exchanges its code. */
export async function letIn(
  fixture: Fixture,
  who: Person,
  name = 'An agent',
  browser = new Browser(fixture.app, ISSUER),
  more: Record<string, string> = {},
): Promise<AgentTokens> {
  const { client_id } = (await registerAgent(fixture, { client_name: name })).json;
  const { back, verifier } = await authorize(browser, who, client_id, more);
  const { json } = await sendForm(fixture, '/token', codeFields(client_id, back.get('code') ?? '', verifier));
  return { client_id, ...json };
}

/** Lists the tools of /mcp. */
export const listTools = ({ app }: Fixture, token: string) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  });

/** Status of a call of /mcp. */
export const callMcp = async (fixture: Fixture, token: string): Promise<number> =>
  (await listTools(fixture, token)).statusCode;
