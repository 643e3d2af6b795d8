import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { secret } from '../../security/logged.ts';

/** What somebody is at the provider: `sub` and further claims of the ID token. */
export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** A person with a verified address who signed in with a password. */
export const person = (sub: string, more: Record<string, unknown> = {}): Person => ({
  sub,
  email: `${sub}@example.org`,
  email_verified: true,
  firebase: { sign_in_provider: 'password' },
  ...more,
});

/** A running OpenID provider. */
export interface ProviderProcess {
  readonly issuer: string;
  /** Signs somebody in by authorization code with PKCE. @returns the ID token. */
  signIn(who: Person, client?: string): Promise<string>;
  /** Lets who comes next sign in, when the client names nobody. */
  expect(who: Person): Promise<void>;
  /** Makes new keys; counts from 0 again. */
  rotate(): Promise<void>;
  /** How often it was asked for its keys. */
  hits(): Promise<{ readonly jwks: number; readonly discovery: number }>;
  stop(): Promise<void>;
}

const BACK = 'http://127.0.0.1/back';

/** Follows redirects with cookies, as a browser would, until they lead back to the client. */
export async function follow(start: string, back = BACK): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let url = start; ; ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(back)) return new URL(url);
  }
}

/** Starts a provider on a free port. @param back where a client of it, `plat-test`, may be led back to. */
export async function startProvider(back = BACK): Promise<ProviderProcess> {
  const file = fileURLToPath(new URL('provider-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', file, back], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  let issuer = '';
  for await (const line of createInterface({ input: child.stdout })) {
    issuer = line;
    break;
  }
  return {
    issuer,
    async signIn(who, client = 'plat-test') {
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        client_id: client,
        redirect_uri: BACK,
        response_type: 'code',
        scope: 'openid',
        login_hint: JSON.stringify(who),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      const back = await follow(`${issuer}/auth?${query}`);
      const code = back.searchParams.get('code');
      if (code === null) throw new Error(back.href);
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: BACK,
        client_id: client,
        code_verifier: verifier,
      });
      const answer = (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as { id_token: string };
      return secret(answer.id_token);
    },
    async expect(who) {
      await fetch(`${issuer}/expect`, { method: 'POST', body: JSON.stringify(who) });
    },
    async rotate() {
      await fetch(`${issuer}/rotate`, { method: 'POST' });
    },
    hits: async () => (await fetch(`${issuer}/hits`)).json() as ReturnType<ProviderProcess['hits']>,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
