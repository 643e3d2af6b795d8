// An OpenID provider as a process of its own, made of the certified oidc-provider. Whoever asks is signed in at once as
// what `login_hint` says: JSON with `sub` and claims. POST /rotate makes new keys; GET /hits tells how often keys were asked for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import type { Person } from './provider-process.ts';

const people = new Map<string, Person>();

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Who signs in when the client names nobody. */
let expected: Person | null = null;

let handle: Handler = () => {};
let provider: Provider;
let hits = { jwks: 0, discovery: 0 };
const server = createServer((request, response) => {
  const path = request.url!.split('?')[0]!;
  if (path === '/jwks') hits.jwks++;
  if (path === '/.well-known/openid-configuration') hits.discovery++;
  if (path === '/hits') response.end(JSON.stringify(hits));
  else if (path === '/expect')
    void text(request).then(body => {
      expected = JSON.parse(body) as Person;
      response.end();
    });
  else if (path === '/rotate') void open().then(() => response.end());
  else if (path.startsWith('/interaction/')) void finish(request, response);
  else handle(request, response);
});
server.listen(0, '127.0.0.1', async () => {
  await open();
  process.stdout.write(`${address()}\n`);
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const who = params.login_hint === undefined ? expected : (JSON.parse(params.login_hint as string) as Person);
  if (!who)
    return provider.interactionFinished(
      request,
      response,
      { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    );
  people.set(who.sub, who);
  const grant = new provider.Grant({ accountId: who.sub, clientId: params.client_id as string });
  grant.addOIDCScope('openid email');
  const grantId = await grant.save();
  const login = { accountId: who.sub };
  await provider.interactionFinished(request, response, { login, consent: { grantId } });
}

async function open(): Promise<void> {
  hits = { jwks: 0, discovery: 0 };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  provider = new Provider(address(), {
    clients: ['plat-test', 'another', 'confidential'].map(client_id => ({
      client_id,
      ...(client_id === 'confidential' ? { client_secret: 'secret of the client' } : {}),
      redirect_uris: ['http://127.0.0.1/back', process.argv[2]!],
      token_endpoint_auth_method: client_id === 'confidential' ? 'client_secret_post' : 'none',
      application_type: 'native',
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookies of a test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'email', 'email_verified', 'firebase', 'sign_in_provider', 'https://plat.example/way'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => people.get(id)! }),
    ttl: { IdToken: 3600, AccessToken: 60, AuthorizationCode: 60, Grant: 60, Interaction: 60, Session: 60 },
  });
  handle = provider.callback();
}
