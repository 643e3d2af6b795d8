import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { configuredTerms } from '../../../server/onboarding/configured.ts';
import { TERMS } from '../../../server/onboarding/terms.ts';
import { tidy } from '../../../server/state/housekeeping.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';

const MINUTE_MS = 60_000;
const RACERS = 64;

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** What was accepted can be shown for ever: a line of this table is added with a version and never changed. */
const DIGESTS: Readonly<Record<string, string>> = {
  '2026-11-24': 'b63dff226d31c32e85d102fc7a52513f1adde31f1b8b5cd80849f719d9e35d0d',
};

describe('the terms', () => {
  it('never change under one version', () => {
    expect(Object.fromEntries(TERMS.map(({ version, text }) => [version, sha256Of(text)]))).toEqual(DIGESTS);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'plat-terms-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each<[string, string, string | Buffer, RegExp]>([
  ['that is not there', 'missing.md', '', /cannot be read \(ENOENT\)/],
  ['without a word', 'empty.md', ' \n', /expected the text of the terms, found none/],
  ['that is too long', 'long.md', 'x'.repeat(256 * 1024 + 1), /expected at most 262144 bytes/],
  ['that is no text', 'picture.md', Buffer.from([0x89, 0x50, 0xff]), /expected text in UTF-8/],
  ['with control characters', 'bell.md', 'Be\u0000kind.', /without control characters/],
  ['whose name is no version', 'our terms.md', 'Be kind.', /the name of the file is the version/],
  ['under a version of Plat’s own', `${TERMS.at(-1)!.version}.md`, 'Be kind.', /was in force with other words/],
])('a file of terms %s is refused at the start', async (_, name, text, message) => {
  if (name !== 'missing.md') writeFileSync(join(folder, name), text);
  const filed: string[] = [];
  const state = {
    terms: { text: async () => null, file: async (version: string) => void filed.push(version) as never },
  };
  await expect(configuredTerms({ termsFile: join(folder, name) }, state, Date)).rejects.toThrow(message);
  expect(filed).toEqual([]);
});

describeDoors('onboarding', kind => {
  const opened: Fixture[] = [];
  const servers = async (count = 1) => {
    const place = await kind.place();
    const clock = new FakeClock();
    for (let i = 0; i < count; i++) opened.push(await openFixture({ state: await kind.open(place), clock }));
    return opened;
  };
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });

  const ask = async (
    { app }: Fixture,
    method: 'GET' | 'POST',
    url: string,
    { bearer, body, headers = {} }: { bearer?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const reply = await app.inject({
      method,
      url,
      headers: { ...authorization, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (url.includes('onboarding')) expect(reply.headers['cache-control'], url).toBe('no-store');
    return { status: reply.statusCode, json: reply.json(), error: reply.json().detail?.error };
  };
  const accept = async (fixture: Fixture, session: string, more: object = {}) => {
    const { json: terms } = await ask(fixture, 'GET', '/v1/onboarding/terms');
    const body = { terms_version: terms.version, terms_sha256: terms.sha256, ...more };
    return ask(fixture, 'POST', '/v1/users/me/onboarding', { bearer: session, body });
  };
  const exchange = (fixture: Fixture, connect_code: string) =>
    ask(fixture, 'POST', '/v1/onboarding/exchange', { body: { connect_code } });
  /** Each at a place of its own: no kept answer is served. */
  let places = 0;
  const fetching = (fixture: Fixture, bearer: string, id: string, fields = ['elevation']) =>
    ask(fixture, 'POST', '/v1/fetch', {
      bearer,
      body: { lat: 44.8 + places++ / 1000, lng: -68.7, fields },
      headers: { 'x-service-onboarding-attempt': id },
    });

  it('goes from the terms to a proven first call', async () => {
    const [one, two] = await servers(2);
    const session = await one!.session();
    const { json: terms } = await ask(one!, 'GET', '/v1/onboarding/terms');
    expect(Object.keys(terms).sort()).toEqual(['notice', 'privacy_url', 'sha256', 'url', 'version']);
    const document = await one!.app.inject(terms.url.slice(ISSUER.length));
    expect(sha256Of(document.body)).toBe(terms.sha256);
    expect((await one!.app.inject(terms.privacy_url.slice(ISSUER.length))).statusCode).toBe(200);

    const begun = await accept(one!, session);
    expect(begun.status).toBe(201);
    const { attempt_id: id, connect_code: code, expires_at } = begun.json;
    expect(Date.parse(expires_at)).toBe(one!.clock.time + 15 * MINUTE_MS);
    const [accepted] = await one!.state.audit.entries({ action: 'terms_accepted', limit: 1 });
    expect(accepted).toMatchObject({
      accountId: one!.account.id,
      subject: id,
      detail: { version: terms.version, sha256: terms.sha256 },
    });
    const read = async () => (await ask(two!, 'GET', `/v1/users/me/onboarding/${id}`, { bearer: session })).json;
    expect(await read()).toEqual({
      attempt_id: id,
      status: 'waiting',
      installed_at: null,
      verified_at: null,
      first_call_at: null,
      clients: [],
      skill_installed: false,
      first_call: null,
      expires_at,
    });

    const { status, json: given } = await exchange(two!, code);
    expect([status, Object.keys(given).sort()]).toEqual([200, ['attempt_id', 'expires_at', 'token', 'token_id']]);
    expect(given.attempt_id).toBe(id);
    expect((await read()).status).toBe('connected');

    const tell = (body: object, bearer = given.token) =>
      ask(one!, 'POST', `/v1/onboarding/${id}/progress`, { bearer, body });
    const installed = await tell({ stage: 'installed', clients: ['claude'], skill_installed: true });
    expect(installed.json).toMatchObject({ status: 'connected', clients: ['claude'], skill_installed: true });
    one!.clock.time += MINUTE_MS;
    await tell({ stage: 'verified', clients: ['cursor'] });
    expect((await tell({ stage: 'installed' })).json).toEqual(await read());
    expect(await read()).toMatchObject({
      status: 'connected',
      installed_at: installed.json.installed_at,
      verified_at: new Date(one!.clock.time).toISOString(),
      clients: ['claude', 'cursor'],
    });
    // It cannot say itself that a call worked, and nobody else can say anything.
    expect((await tell({ stage: 'verified', first_call: {} })).status).toBe(422);
    const wrong = await tell({ stage: 'complete' });
    expect([wrong.status, wrong.json.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'stage'], msg: "Input should be 'installed' or 'verified'", type: 'literal_error' }],
    ]);
    for (const other of [one!.token, session])
      expect((await tell({ stage: 'verified' }, other)).error).toBe('onboarding_attempt_not_found');

    expect((await fetching(two!, given.token, id)).status).toBe(200);
    const first_call = { fields: ['elevation'], source_urls: ['https://example.org/dem'] };
    const done = await read();
    expect(done).toMatchObject({ status: 'complete', first_call });
    one!.clock.time += MINUTE_MS;
    await fetching(one!, given.token, id, ['slope_degrees']);
    expect(await read()).toEqual(done);
    expect(JSON.stringify(done)).not.toMatch(/12\.5|44\.8/);
  });

  it('gives the token to one of many', async () => {
    const fixtures = await servers(2);
    const { json } = await accept(fixtures[0]!, await fixtures[0]!.session());
    const before = (await fixtures[0]!.state.tokens(fixtures[0]!.account.id)).length;
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, i) => exchange(fixtures[i % 2]!, json.connect_code)),
    );
    const count = (status: number) => answers.filter(answer => answer.status === status).length;
    expect([count(200), count(409)]).toEqual([1, RACERS - 1]);
    expect(answers.filter(({ json }) => 'token' in json)).toHaveLength(1);
    expect((await fixtures[0]!.state.tokens(fixtures[0]!.account.id)).length).toBe(before + 1);
  });

  it('tells an expired code from a used and an unknown one, until it is forgotten', async () => {
    const [one] = await servers();
    const session = await one!.session();
    const codes = [(await accept(one!, session)).json.connect_code, (await accept(one!, session)).json.connect_code];
    expect((await exchange(one!, codes[0])).status).toBe(200);
    one!.clock.time += 15 * MINUTE_MS;
    const errors = async () => [(await exchange(one!, codes[0])).error, (await exchange(one!, codes[1])).error];
    expect(await errors()).toEqual(['connect_code_used', 'connect_code_expired']);
    expect((await exchange(one!, 'never issued')).error).toBe('connect_code_not_found');
    one!.clock.time += 24 * 60 * MINUTE_MS;
    await tidy(one!.state, one!.clock.time);
    expect(await errors()).toEqual(['connect_code_not_found', 'connect_code_not_found']);
  });

  it('needs a session and the terms in force', async () => {
    const [one] = await servers();
    const session = await one!.session();
    expect((await accept(one!, one!.token)).error).toBe('auth_method_not_allowed');
    expect((await ask(one!, 'POST', '/v1/users/me/onboarding', { body: {} })).error).toBe('auth_missing');
    const outdated = await accept(one!, session, { terms_sha256: '0'.repeat(64) });
    expect([outdated.status, outdated.error]).toEqual([409, 'terms_outdated']);
    expect(outdated.json.detail).toMatchObject({
      terms_version: TERMS.at(-1)!.version,
      terms_sha256: sha256Of(TERMS.at(-1)!.text),
    });
    expect((await accept(one!, session, { more: 1 })).status).toBe(422);
    expect(await one!.state.audit.entries({ action: 'terms_accepted', limit: 1 })).toEqual([]);
    const { json } = await accept(one!, session);
    const path = `/v1/users/me/onboarding/${json.attempt_id}`;
    const bearer = await one!.session('other@example.org');
    expect((await ask(one!, 'GET', path, { bearer })).error).toBe('onboarding_attempt_not_found');
    expect((await ask(one!, 'GET', path, { bearer: one!.token })).error).toBe('auth_method_not_allowed');
    expect((await ask(one!, 'GET', path)).error).toBe('auth_missing');
  });

  it('puts the operator’s own terms in force, which never change under one version and can be read for ever', async () => {
    const place = await kind.place();
    const at = async (name: string, text: string | Buffer) => {
      writeFileSync(join(folder, name), text);
      const fixture = await openFixture({ state: await kind.open(place), termsFile: join(folder, name) });
      opened.push(fixture);
      return fixture;
    };
    const one = await at('2027-01.md', 'Be kind.\n');
    const session = await one.session();
    const { json: first } = await ask(one, 'GET', '/v1/onboarding/terms');
    expect(first).toMatchObject({
      version: '2027-01',
      sha256: sha256Of('Be kind.\n'),
      url: `${ISSUER}/v1/onboarding/terms/2027-01`,
    });
    expect((await accept(one, session)).status).toBe(201);
    const own = TERMS.at(-1)!;
    const refused = await accept(one, session, { terms_version: own.version, terms_sha256: sha256Of(own.text) });
    expect(refused.json.detail).toMatchObject({ error: 'terms_outdated', terms_version: '2027-01' });

    // Another server is given other words under that name, and then under a name of their own.
    await expect(at('2027-01.md', 'Be very kind.\n')).rejects.toThrow(/version 2027-01 was in force with other words/);
    const two = await at('2027-02.md', 'Be very kind.\n');
    const outdated = await accept(two, session, { terms_version: first.version, terms_sha256: first.sha256 });
    expect(outdated.json.detail).toMatchObject({ error: 'terms_outdated', terms_version: '2027-02' });
    expect((await accept(two, session)).status).toBe(201);
    const read = async (version: string) => (await two.app.inject(`/v1/onboarding/terms/${version}`)).body;
    expect([await read('2027-01'), await read('2027-02')]).toEqual(['Be kind.\n', 'Be very kind.\n']);
    expect(sha256Of(await read(own.version))).toBe(sha256Of(own.text));
    const shown = await two.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${two.token}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'service://terms' } },
    });
    expect(shown.body).toContain('Be very kind.');
    for (const version of ['2027-03', '%00', 'x'.repeat(99)])
      expect((await two.app.inject(`/v1/onboarding/terms/${version}`)).statusCode, version).toBe(404);
    const accepted = await two.state.audit.entries({ action: 'terms_accepted', limit: 9 });
    expect(accepted.map(({ detail }) => detail.version).sort()).toEqual(['2027-01', '2027-02']);
  });

  it('takes as proof only a value, and only from the attempt’s token', async () => {
    const [one] = await servers();
    const session = await one!.session();
    const begin = async () => {
      const { json } = await accept(one!, session);
      const { token } = (await exchange(one!, json.connect_code)).json;
      const proven = async () =>
        (await ask(one!, 'GET', `/v1/users/me/onboarding/${json.attempt_id}`, { bearer: session })).json.first_call;
      return { id: json.attempt_id as string, token: token as string, proven };
    };
    const { id, token, proven } = await begin();
    const answered = (answer: object) => one!.engine.answers.set('elevation', answer);
    for (const answer of [
      { status: 'absent', value: null, notes: 'nothing there' },
      { status: 'failed', value: null, error: 'broken', retryable: true },
      { status: 'ok', value: null },
      { status: 'ok', value: ' ' },
      { status: 'ok', value: [] },
    ]) {
      answered(answer);
      expect((await fetching(one!, token, id)).status).toBe(200);
      expect(await proven(), JSON.stringify(answer)).toBeNull();
    }
    answered({ status: 'ok', value: 0 });
    for (const [bearer, named] of [
      [one!.token, id],
      [session, id],
      [token, 'x'],
      [token, '00000000-0000-4000-8000-000000000000'],
    ] as const)
      expect((await fetching(one!, bearer, named)).status).toBe(200);
    await ask(one!, 'GET', '/v1/meta/plans', { bearer: token, headers: { 'x-service-onboarding-attempt': id } });
    expect(await proven()).toBeNull();
    await fetching(one!, token, id);
    expect(await proven()).toMatchObject({ fields: ['elevation'] });
    const other = await begin();
    answered({ status: 'ok', value: false });
    await fetching(one!, other.token, other.id);
    expect(await other.proven()).toMatchObject({ fields: ['elevation'] });
  });

  it('a tracking store that fails fails no fetch', async () => {
    const [one] = await servers();
    const { json } = await accept(one!, await one!.session());
    const { token } = (await exchange(one!, json.connect_code)).json;
    const prove = vi.spyOn(one!.state.onboarding, 'prove').mockRejectedValue(new Error('gone'));
    const { status, json: answer } = await fetching(one!, token, json.attempt_id);
    expect([status, answer.fields.elevation.value, prove.mock.calls.length]).toEqual([200, 12.5, 1]);
  });

  it('keeps digests of codes, not codes', async () => {
    const [one] = await servers();
    const begin = vi.spyOn(one!.state.onboarding, 'begin');
    const { json } = await accept(one!, await one!.session());
    expect(JSON.stringify(begin.mock.calls)).not.toContain(json.connect_code);
  });
});
