// Measures POST /v1/ask over HTTP with the embedded backend, on the synthetic area: the share of the best fields that are planned
// (recall), the share of planned fields that are best (precision), questions that are wrongly told to have no field, the same of five
// paraphrases each, numbers of an answer that no cited record supports, answers against what the generator knows, what is refused of
// what cannot be known, citations that a sentence needs, and the time of an answer.
// The bench finds numbers with code of its own (ask/numbers.ts). `BENCH_HOME` names a home to use again.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { catalog } from '../datasets/catalog.ts';
import { currentId, readManifest } from '../query/release/home/releases.ts';
import type { AskRecord, Evidence } from '../server/ask/backend.ts';
import { unsupportedIn } from '../server/ask/check/check.ts';
import { planQuestion } from '../server/ask/plan/planner.ts';
import { freePort } from '../test/free-port.ts';
import { tellsNumber, unsupportedNumbers } from './ask/numbers.ts';
import { elsewhere, paraphrasesOf, type Question, questionsOf } from './ask/questions.ts';
import { type TrueQuestion, trueQuestions } from './ask/truth.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PORT = await freePort();
const BASE = `http://127.0.0.1:${PORT}`;
const PLACE = { lat: 43.0657528, lng: -70.7113598 };
const AREA = { parcels: 240, seed: 11 };
/** What is asked of plans and answers; null where nothing is. */
const BARS: Readonly<Record<string, number>> = {
  'recall of the best fields at 15': 0.9,
  'precision of the plan': 0.7,
  'wrongly told to have no field': 0.01,
  'answers with an unsupported number': 0,
  'false comparisons': 0,
  'wrong place': 0,
  'wrong time': 0,
  'refused of what cannot be known': 0.98,
  'an answer, with fetch, p50': 30,
};

interface Asked {
  readonly answer: string;
  readonly fields_used: readonly string[];
  readonly trace: {
    readonly fields_requested: readonly string[];
    readonly sentences: readonly { readonly text: string; readonly fields: readonly string[] }[];
    readonly parts: readonly { readonly compared_to: { readonly text: string } | null }[];
  };
}

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-ask-'));
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(PORT) };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat(
    'world',
    'generate',
    '--parcels',
    String(AREA.parcels),
    '--seed',
    String(AREA.seed),
    '--out',
    join(home, 'world'),
  );
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic');
}
const token = plat('token', 'create', '--account', 'bench@plat.invalid', '--plan', 'market').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${BASE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
const row = (set: string, what: string, unit: string, ours: number): BenchRow => {
  const bar = BARS[what] ?? null;
  const isCost = unit === 'ms' || /wrong|unsupported|false/.test(what);
  const ratio = bar === null || bar === 0 || ours === 0 ? null : isCost ? bar / ours : ours / bar;
  return { case: `${set}: ${what}`, unit, ours, peer: bar, ratio };
};
const asked = (question: string, place: { lat: number; lng: number } = PLACE) =>
  post<Asked>('/v1/ask', { question, lat: place.lat, lng: place.lng, include_trace: true });
const recordsOf = async (names: readonly string[], { lat, lng }: { lat: number; lng: number } = PLACE) =>
  names.length === 0
    ? {}
    : (await post<{ fields: Record<string, AskRecord> }>('/v1/fetch', { fields: names, lat, lng })).fields;

/** The share of citations without which the check would not let the sentence stand; the others are idle. */
function needed({ trace }: Asked, records: Readonly<Record<string, AskRecord>>): number[] {
  const evidence = Object.keys(records).map((field): Evidence => {
    const { title, description, hint } = catalog.fields.get(field)!;
    return { field, title, description, hint, record: records[field]!, area: [] };
  });
  return trace.sentences.flatMap(({ text, fields }) =>
    fields.map(field => {
      const others = fields.filter(other => other !== field);
      return Number(unsupportedIn({ text, fields: others }, evidence, catalog) !== null);
    }),
  );
}

/** How a set of questions is planned and answered. */
async function judge(set: string, questions: readonly Question[], answers: boolean): Promise<BenchRow[]> {
  const [recalls, precisions, times, citations]: number[][] = [[], [], [], []];
  let [bad, none, answered, unknown] = [0, 0, 0, 0];
  for (const { question, fields } of questions) {
    const began = performance.now();
    const told = await asked(question);
    times!.push(performance.now() - began);
    const planned = told.trace.fields_requested;
    if (answers) {
      const records = await recordsOf([...new Set([...planned, ...told.fields_used])]);
      const strange = unsupportedNumbers({
        ...{ question, answer: told.answer, sentences: told.trace.sentences, records },
        standings: told.trace.parts.flatMap(({ compared_to }) => compared_to?.text ?? []),
        fieldOf: name => catalog.fields.get(name)!,
      });
      citations!.push(...needed(told, records));
      if (strange.length > 0) {
        bad++;
        // Nobody who works on plans reads what is sealed.
        if (set !== 'sealed' && set !== 'passersby' && set !== 'holdout')
          process.stdout.write(`unsupported ${strange.join(', ')}: ${question}: ${told.answer}\n`);
      }
    }
    if (fields.length === 0) {
      unknown++;
      if (planned.length > 0) answered++;
      continue;
    }
    const hits = fields.filter(field => planned.includes(field)).length;
    recalls!.push(hits / fields.length);
    if (planned.length === 0) none++;
    else precisions!.push(hits / planned.length);
  }
  return [
    row(set, 'recall of the best fields at 15', 'share', mean(recalls!)),
    row(set, 'precision of the plan', 'share', mean(precisions!)),
    row(set, 'wrongly told to have no field', 'share', none / recalls!.length),
    ...(unknown === 0 ? [] : [row(set, 'answered of what no field knows', 'share', answered / unknown)]),
    ...(answers
      ? [
          row(set, 'answers with an unsupported number', 'count', bad),
          row(set, 'citations that their sentence needs', 'share', mean(citations!)),
          row(set, 'an answer, with fetch, p50', 'ms', percentile(times!, 50)),
        ]
      : []),
  ];
}

/** Whether an answer says what the generator knows; null where it says neither that nor the opposite of a comparison. */
function isTrue(answer: string, { expected }: TrueQuestion): boolean | null {
  if (typeof expected === 'string') return new RegExp(`\\b${expected}\\b`, 'i').test(answer);
  if ('value' in expected) return tellsNumber(answer, expected);
  // The first sentence that compares is the answer.
  const first = answer.split(/(?<=\.)\s/).find(text => expected.right.test(text) || expected.wrong.test(text));
  return first === undefined ? null : !expected.wrong.test(first) || expected.right.test(first);
}

/** Answers against what the generator of the area knows. */
async function judgeTruth(questions: readonly TrueQuestion[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  let wrong = 0;
  for (const [kind, group] of Map.groupBy(questions, one => one.kind)) {
    let right = 0;
    for (const one of group) {
      const { answer } = await asked(one.question, one);
      const told = isTrue(answer, one);
      if (told === true) right++;
      const isComparison = typeof one.expected === 'object' && 'right' in one.expected;
      if (isComparison && told === false) wrong++;
      if (told === false)
        process.stdout.write(`not true: ${one.question} (${JSON.stringify(one.expected)}): ${answer}\n`);
    }
    rows.push(row('generator', `${kind} told as it is`, 'share', right / group.length));
  }
  return [...rows, row('generator', 'false comparisons', 'count', wrong)];
}

/** How many of some questions are looked up although they should not be. */
async function lookedUp(questions: readonly string[]): Promise<number> {
  let many = 0;
  for (const question of questions) {
    if ((await asked(question)).trace.fields_requested.length === 0) continue;
    many++;
    process.stdout.write(`looked up: ${question}\n`);
  }
  return many;
}

async function judgeRefusals(): Promise<BenchRow[]> {
  const { place, time } = elsewhere();
  const tasks = readFileSync(join(ROOT, 'test/server/ask/reading/geobenchx.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .filter(line => !line.startsWith('#'));
  const [places, times, sets] = [await lookedUp(place), await lookedUp(time), await lookedUp(tasks)];
  const all = place.length + time.length + tasks.length;
  return [
    row('refusals', 'wrong place', 'count', places),
    row('refusals', 'wrong time', 'count', times),
    row('refusals', 'tasks of GeoBenchX refused', 'share', 1 - sets / tasks.length),
    row('refusals', 'refused of what cannot be known', 'share', 1 - (places + times + sets) / all),
  ];
}

/** What the planner alone takes, in this process, once it has seen every question. */
function planning(questions: readonly Question[]): BenchRow[] {
  const times = [0, 1, 2].flatMap(turn =>
    questions.flatMap(({ question }) => {
      const began = performance.now();
      planQuestion(catalog, question);
      return turn === 0 ? [] : [performance.now() - began];
    }),
  );
  return [50, 95].map(p => row('the planner alone', `warm, p${p}`, 'ms', percentile(times, p)));
}

const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
try {
  while (
    !(await fetch(`${BASE}/readyz`).then(
      r => r.ok,
      () => false,
    ))
  )
    await sleep(200);
  const [known, muddled, sealed] = [questionsOf('questions'), questionsOf('muddled'), questionsOf('sealed')];
  const [fresh, blind] = [questionsOf('fresh'), questionsOf('blind')];
  const [callers, visitors] = [questionsOf('callers'), questionsOf('visitors')];
  const [posts, letters, strangers] = [questionsOf('posts'), questionsOf('letters'), questionsOf('strangers')];
  const [trades, townsfolk, neighbors] = [questionsOf('trades'), questionsOf('townsfolk'), questionsOf('neighbors')];
  const [newcomers, passersby, wayfarers] = [
    questionsOf('newcomers'),
    questionsOf('passersby'),
    questionsOf('wayfarers'),
  ];
  const said = (questions: readonly Question[]) =>
    questions.flatMap(one => paraphrasesOf(one.question).map(question => ({ ...one, question })));
  const releases = join(home, 'releases');
  const { asOf } = readManifest(releases, currentId(releases)!);
  process.stdout.write('peer is the bar; a count of 0 is its own bar\n');
  report('ask', { questions: `${known.length} short, ${muddled.length} muddled, ${sealed.length} sealed` }, [
    ...(await judge('short', known, true)),
    ...(await judge('muddled', muddled, true)),
    ...(await judge('sealed', sealed, true)),
    ...(await judge('fresh', fresh, false)),
    ...(await judge('blind', blind, false)),
    ...(await judge('callers', callers, true)),
    ...(await judge('visitors', visitors, true)),
    ...(await judge('posts', posts, true)),
    ...(await judge('letters', letters, true)),
    ...(await judge('strangers', strangers, true)),
    ...(await judge('trades', trades, true)),
    ...(await judge('townsfolk', townsfolk, true)),
    ...(await judge('neighbors', neighbors, true)),
    ...(await judge('newcomers', newcomers, true)),
    ...(await judge('passersby', passersby, true)),
    ...(await judge('wayfarers', wayfarers, true)),
    ...(await judge('householders', questionsOf('householders'), true)),
    ...(await judge('lodgers', questionsOf('lodgers'), true)),
    ...(await judge('inquirers', questionsOf('inquirers'), true)),
    ...(await judge('holdout', questionsOf('holdout'), true)),
    ...(await judge('muddled, paraphrased', said(muddled), false)),
    ...(await judge('sealed, paraphrased', said(sealed), false)),
    ...(await judgeTruth(await trueQuestions(AREA, asOf))),
    ...(await judgeRefusals()),
    ...planning([...known, ...muddled]),
  ]);
} finally {
  server.kill();
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
