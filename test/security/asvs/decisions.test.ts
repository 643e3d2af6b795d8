// OWASP ASVS 5.0, what is to be documented: docs/security.md says it, with the numbers, keys and ways that the code has.
import { readFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../../query/engine/settings.ts';
import { TOKEN_DAYS } from '../../../server/auth/token.ts';
import { ERRORS } from '../../../server/errors/registry.ts';
import { BROWSER_SESSION_SECONDS, SESSION_SECONDS } from '../../../server/provider/id-token.ts';
import { PASSWORD_LENGTH } from '../../../server/provider/password.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/security.md').replace(/\s+/g, ' ');
const sections = new Map(
  read('docs/security.md')
    .split(/^## /m)
    .slice(1)
    .map(part => [part.slice(0, part.indexOf('\n')), part.replace(/\s+/g, ' ')]),
);
const says = (section: string, ...sentences: readonly string[]) => {
  for (const sentence of sentences) expect(sections.get(section), section).toContain(sentence);
};

it('rules for input, for what must agree and for how much are said, and each refusal has a code', () => {
  says(
    'Input',
    'The same schemas check requests',
    'Parts of a request that must agree are refused where they do not',
    'plans.md',
    'Nobody uploads files',
  );
  for (const code of ['invalid_locator', 'location_out_of_bounds', 'idempotency_key_reused', 'search_invalid_request'])
    expect(ERRORS).toHaveProperty(code);
  expect(page).toContain(SETTINGS.readUnpacked.variable);
});

it('every way in is said with what proves it, and there are those four kinds of credential', () => {
  says(
    'Ways in',
    'embedded provider',
    'another provider',
    'API token',
    'device flow',
    'OAuth',
    'guest',
    'command line',
  );
  const kinds = [...read('server/credential.ts').matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(['token', 'session', 'grant', 'guest']);
});

it('rules for passwords, for guessing and for one factor are said', () => {
  const { least, most } = PASSWORD_LENGTH;
  says('Ways in', `Of ${least} to ${most} characters of any kind`, 'they never expire', 'words near at hand', '`plat`');
  says('Ways in', 'Attempts are counted over all servers, by client and by address', '**One factor.**');
  expect(Math.floor(dictionary['passwords-common'].length / 1000)).toBe(49);
  expect(page).toContain('the 49,000 that are most often among leaked ones');
});

it('lifetimes of sessions are those of the code, with why they differ from NIST SP 800-63B', () => {
  expect([SESSION_SECONDS, TOKEN_DAYS, BROWSER_SESSION_SECONDS]).toEqual([3_600, 90, 14 * 86_400]);
  says('Sessions', '| session (ID token) | 1 hour', '| API token | 1 to 365 days, 90 by default |', 'NIST SP 800-63B');
  says(
    'Sessions',
    '14 days unused, 30 days in all',
    '30 days unused, 90 days in all',
    'any number of sessions at once',
  );
  const openid = read('server/provider/openid.ts');
  expect(openid).toContain('LONGEST_SECONDS = 30 * 24 * 60 * 60;');
  expect(openid).toContain('AuthorizationCode: 60,');
  expect(read('server/provider/oauth/features.ts')).toMatch(/RefreshToken: 30 \* DAY, Grant: 90 \* DAY/);
});

it('who may call, read and write what is said', () => {
  says('Who may do what', 'a session alone', 'as if there were none', 'Which fields may be written');
});

it('the inventory of keys has every algorithm of the code', () => {
  says('Keys and algorithms', 'HMAC-SHA-256', 'AES-256-GCM', 'HKDF-SHA-256', 'ES256', 'scrypt (2^15, 8, 3)', 'changed');
  expect(read('server/auth/seal.ts')).toContain("'aes-256-gcm'");
  expect(read('server/provider/keys.ts')).toContain("'ES256'");
  expect(read('server/provider/password.ts')).toMatch(/LN = 15;\s*const R = 8;\s*const P = 3;/);
  for (const key of ['tokenSecret', 'cursorSecret', 'webhookSecret'] as const)
    expect(sections.get('Keys and algorithms')).toContain(SETTINGS[key].variable);
});

it('connections are said with what protects them, each that a setting names among them', () => {
  says('Connections', 'TLS 1.2 or 1.3', 'Plat never redirects from HTTP to HTTPS', 'sslmode=verify-full', '`smtps://`');
  for (const who of [
    'identity, geocoding, routing and language providers',
    'webhooks',
    'publishers of data',
    'S3 store',
  ])
    says('Connections', who);
  const named = Object.values(SETTINGS)
    .map(({ variable }) => variable)
    .filter(variable => /_URL$|_ISSUER$/.test(variable) && variable !== 'PLAT_PUBLIC_URL');
  const kinds = /SMTP|STATE|OIDC|GEOCODE|ROUTING|PROXIMITY|VALHALLA|OSRM|ASK|PLAT_URL/;
  expect(named.filter(variable => !kinds.test(variable))).toEqual([]);
});

it('data has levels, each with how it is kept', () => {
  for (const level of ['secret', 'personal', 'licensed or personal public data', 'public'])
    says('Data', `| ${level} |`);
  says('Data', 'never logged', '`no-store`', 'plat account delete', '`sessionStorage` and nothing else of the account');
});

it('libraries have days within which a vulnerable one is replaced, and all are named with digests of one registry', () => {
  says('Libraries', 'within 7 days if it is critical, 30 days if it is high, 90 days otherwise', 'npm audit');
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
  };
  const locked = Object.entries(packages).filter(([name]) => name !== '');
  expect(locked.length).toBeGreaterThan(200);
  expect(locked.filter(([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'))).toEqual([]);
  const elsewhere = ({ resolved = 'https://registry.npmjs.org/' }) =>
    !resolved.startsWith('https://registry.npmjs.org/');
  expect(locked.filter(([, entry]) => elsewhere(entry))).toEqual([]);
});

it('slow work is said with how everybody else is protected', () => {
  for (const work of ['searches, enrichment', 'batches, runs', 'questions', 'passwords', 'bodies and answers'])
    says('Slow work', work);
});

it('logs are said with where they stand, who reads them and for how long', () => {
  says('Logs', 'JSON lines with time (UTC)', 'stderr', 'a collector on another machine', 'two years', 'NTP');
  expect(read('server/state/housekeeping.ts')).toContain('AUDIT_KEPT_MS = 730 * 24 * 60 * 60 * 1000');
});
