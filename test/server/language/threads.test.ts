import { Piscina } from 'piscina';
import { afterAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { threadFile } from '../../../query/engine/file-checker.ts';
import type { Task } from '../../../server/ask/backend.ts';
import { embeddedBackend } from '../../../server/ask/embedded/backend.ts';
import { CHECK, PLAN, WRITE } from '../../../server/ask/works.ts';
import { JUDGE, MEANT, READ_ASKS } from '../../../server/field-requests/screening/works.ts';
import { type Language, languageWork } from '../../../server/language/language.ts';
import { type Delivery, LanguageQueue, type Outcome } from '../../../server/language/queue.ts';
import { startLanguage } from '../../../server/language/threads.ts';
import { WRITE_VIEW, writeView } from '../../../server/mcp/view/writing.ts';
import { SEARCH } from '../../../server/mcp/works.ts';
import { openFixture } from '../service-fixture.ts';
import { languageHere } from './language-here.ts';

const here = () => new AbortController().signal;

/** A pool of one thread that does what it is asked to. */
const pool = new Piscina<Delivery, Outcome>({
  ...threadFile('stuck-thread', import.meta.url),
  minThreads: 1,
  maxThreads: 1,
});
pool.on('error', () => {});
afterAll(() => pool.destroy());

function opened(most = 10) {
  const warnings: string[] = [];
  const queue = new LanguageQueue(pool, 1, most, message => warnings.push(message));
  const plan = (question: string, account?: string, signal = here()) =>
    queue.have(languageWork<string, unknown>('any'), question, { account, signal });
  return { plan, warnings };
}

const settled = async (work: Promise<unknown>) =>
  work.then(
    output => output,
    (error: { code?: unknown; name: string }) => (typeof error.code === 'string' ? error.code : error.name),
  );

it('says in threads what it says here', async () => {
  const { language, close } = startLanguage(null, () => {});
  const local = languageHere(catalog);
  const terms = { signal: here() };
  const question = 'How steep is it, does it flood, and who was the first mayor?';
  const plan = await language.have(PLAN, { question, lacking: [] }, terms);
  expect(plan).toEqual(await local.have(PLAN, { question, lacking: [] }, terms));
  const record = {
    ...{ value: 4.5, unit: 'percent', source: 'test_dem', source_url: null, confidence: 'high' as const },
    ...{ fetched_at: '2026-01-01T00:00:00.000Z', dataset_vintage: '2021', notes: null, status: 'ok' as const },
  };
  const { title, description, hint } = catalog.fields.get('slope_percent')!;
  const evidence = [{ field: 'slope_percent', title, description, hint, record, area: [] }];
  const task: Task = { question, plan: { ...plan, fields: ['slope_percent'] }, evidence, about: 'the place' };
  const written = await language.have(WRITE, task, terms);
  expect(written.map(({ fault }) => fault)).toEqual(written.map(() => null));
  expect(written).toEqual(await local.have(WRITE, task, terms));
  const sentence = { text: 'The slope is 5.1 percent.', fields: ['slope_percent'] };
  expect(await language.have(CHECK, { sentence, evidence }, terms)).toEqual({ kind: 'number', what: '5.1' });
  const body = { description: 'elevation above the sea', example_locations: [{ lat: 44.8, lng: -68.77 }] };
  const { asks } = await language.have(READ_ASKS, body, terms);
  const meant = { excluded: [], accepted: await language.have(MEANT, ['ground elevation'], terms) };
  expect(meant.accepted).toContain('elevation');
  const asked = { one: asks[0]!, body, meant };
  expect(await language.have(JUDGE, asked, terms)).toEqual(await local.have(JUDGE, asked, terms));
  const query = { query: 'floood zone', limit: 3 };
  expect(await language.have(SEARCH, query, terms)).toEqual(await local.have(SEARCH, query, terms));
  await close();
});

it('hands over the memory of a long answer, and of its rest, without a copy', async () => {
  const { language, close } = startLanguage(null, () => {});
  const value = {
    ...{ value: 4.5, unit: 'percent', status: 'ok', confidence: 'high', source: 'test_dem', source_url: null },
    ...{ fetched_at: '2026-01-01T00:00:00.000Z', dataset_vintage: '2021', notes: null, ttl_seconds: 60 },
  };
  const names = Array.from({ length: 2_000 }, (_, i) => `field_${i}`);
  const body = { fields: Object.fromEntries(names.map(name => [name, value])) };
  const asked = () => ({
    text: new TextEncoder().encode(JSON.stringify(body)),
    isRest: false,
    shapes: false,
    words: {},
    origin: 'https://plat.example.org',
    most: 8_000,
  });
  const handed = asked();
  const view = await language.have(WRITE_VIEW, handed, { signal: here(), transfer: [handed.text.buffer] });
  expect(handed.text.length).toBe(0);
  expect(view).toEqual(writeView(asked()));
  expect(view.rest!.buffer.byteLength).toBe(view.rest!.length);
  await close();
});

it('serves accounts in turn', async () => {
  const { plan } = opened();
  const order: unknown[] = [];
  const ask = (question: string, account: string) => plan(question, account).then(output => order.push(output));
  await Promise.all([ask('a1', 'a'), ask('a2', 'a'), ask('a3', 'a'), ask('b1', 'b')]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('answers ask_busy when too many wait, to the account that has most of them', async () => {
  const { plan } = opened(2);
  const works = [plan('a1', 'a'), plan('a2', 'a'), plan('a3', 'a'), plan('a4', 'a'), plan('b1', 'b')];
  expect(await Promise.all(works.map(settled))).toEqual(['a1', 'a2', 'ask_busy', 'ask_busy', 'b1']);
});

it('ends the work of a question that nobody waits for, begun or not', async () => {
  const { plan, warnings } = opened();
  const gone = new AbortController();
  const begun = plan('never end', 'a', gone.signal);
  const waiting = plan('not begun', 'a', gone.signal);
  const other = plan('next', 'b');
  gone.abort();
  expect(await Promise.all([begun, waiting, other].map(settled))).toEqual(['AbortError', 'AbortError', 'next']);
  expect(await settled(plan('late', 'a', gone.signal))).toBe('AbortError');
  expect(warnings).toEqual([]);
});

it('replaces a thread that ended; its question may be asked again', async () => {
  const { plan, warnings } = opened();
  const works = [plan('end the thread', 'a'), plan('next', 'b')];
  expect(await Promise.all(works.map(settled))).toEqual(['worker_stopped', 'next']);
  expect(warnings).toEqual([expect.stringContaining('a language worker ended and is replaced')]);
  expect(await settled(plan('end the thread'))).toBe('worker_stopped');
  expect(await plan('again')).toBe('again');
});

it('tells a fault of the program from a thread that ended', async () => {
  await expect(opened().plan('fail')).rejects.toThrow('The work any failed: TypeError: unforeseen');
});

it('lets the server answer while a question is planned without end', async () => {
  const { plan } = opened();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const language: Language = {
    have(_work, _, terms) {
      begin();
      return plan('never end', terms.account, terms.signal) as Promise<never>;
    },
  };
  await using fixture = await openFixture({ catalog, language, askBackend: embeddedBackend(language) });
  const url = await fixture.app.listen({ port: 0, host: '127.0.0.1' });
  const gone = new AbortController();
  const asked = fetch(`${url}/v1/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Does it flood?', lat: 44.8, lng: -68.77 }),
    signal: gone.signal,
  });
  await begun;
  for (let i = 0; i < 3; i++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  gone.abort();
  expect(await settled(asked)).toBe('AbortError');
  expect(await plan('next')).toBe('next');
});
