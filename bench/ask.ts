// Measures POST /v1/ask over HTTP with the embedded backend, on the synthetic area: the share of the best fields that are planned
// (recall), the share of planned fields that are best (precision), numbers of an answer that no cited record supports, and the
// time of an answer and of the planner alone.
// The bench finds numbers with code of its own. `BENCH_HOME` names a home to use again.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { catalog } from '../datasets/catalog.ts';
import { planQuestion } from '../server/ask/plan/planner.ts';
import { freePort } from '../test/free-port.ts';
import { type Question, questionsInHalves } from './ask/split.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PORT = await freePort();
const BASE = `http://127.0.0.1:${PORT}`;
const PLACE = { lat: 43.0657528, lng: -70.7113598 };
/** Bars of the planner and of answers. */
const BARS = { recall: 0.9, precision: 0.5, unsupported: 0, p50: 30, planner: 2 } as const;

interface FetchRecord {
  readonly value: unknown;
  readonly notes: string | null;
}
interface Asked {
  readonly answer: string;
  readonly trace: { readonly fields_requested: readonly string[] };
}

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-ask-'));
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(PORT) };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--parcels', '240', '--seed', '11', '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic');
}
const token = plat('token', 'create', '--account', 'bench@plat.invalid', '--plan', 'market').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${BASE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const numbers = (text: string): number[] =>
  (text.match(/(?<![\p{L}\d.])\d[\d,]*(?:\.\d+)?/gu) ?? []).map(one => Number(one.replaceAll(',', '')));
/** What a value may be multiplied with: percent, miles, feet, inches, acres, square feet, gallons, mph, cfs. */
const FACTORS = [
  1,
  100,
  1 / 1609.344,
  1 / 0.3048,
  1 / 0.0254,
  1 / 25.4,
  1 / 2.54,
  1 / 4046.8564224,
  10.7639104,
  264.172052,
  2.23693629,
  35.3146667,
];

/** Numbers of an answer that stand neither in the records of its plan nor, by themselves, in what their fields are called. */
function unsupported(answer: string, records: readonly FetchRecord[], titles: string): number[] {
  const written = new Set(numbers([titles, ...records.map(r => `${r.value ?? ''} ${r.notes ?? ''}`)].join(' ')));
  const values = records.flatMap(({ value }) => (typeof value === 'number' ? [Math.abs(value)] : []));
  const warmth = records.flatMap(({ value }) => (typeof value === 'number' ? [Math.abs(value * 1.8 + 32)] : []));
  const known = [...values.flatMap(value => FACTORS.map(factor => value * factor)), ...warmth];
  return numbers(answer).filter(
    shown => !written.has(shown) && !known.some(value => Math.abs(shown - value) <= 0.006 * Math.abs(value) + 1e-4),
  );
}

/** Whether an answer says the value of each field that its gold sentence names; an absent one has no value to say. */
function saysGold(answer: string, { gold }: Question, records: Readonly<Record<string, FetchRecord>>): boolean {
  const said = numbers(answer);
  return [...gold.matchAll(/\{(\w+)\}/g)].every(([, field]) => {
    const value = records[field!]?.value;
    if (typeof value === 'number') return said.some(n => [1, 100].some(f => Math.abs(n - Math.abs(value) * f) < 0.006));
    return typeof value === 'string' ? answer.includes(value.trim()) : true;
  });
}

async function judge(
  name: string,
  questions: readonly Question[],
  titleOf: ReadonlyMap<string, string>,
): Promise<BenchRow[]> {
  const recalls: number[] = [];
  const precisions: number[] = [];
  const times: number[] = [];
  let bad = 0;
  let gold = 0;
  for (const one of questions) {
    const began = performance.now();
    const { answer, trace } = await post<Asked>('/v1/ask', { question: one.question, ...PLACE, include_trace: true });
    times.push(performance.now() - began);
    const planned = trace.fields_requested;
    const names = [...new Set([...planned, ...one.fields])];
    const { fields } =
      names.length === 0
        ? { fields: {} }
        : await post<{ fields: Record<string, FetchRecord> }>('/v1/fetch', { fields: names, ...PLACE });
    const strange = unsupported(
      answer,
      planned.map(field => fields[field]!),
      planned.map(field => titleOf.get(field)).join(' '),
    );
    if (strange.length > 0) {
      bad++;
      process.stdout.write(`unsupported ${strange.join(', ')}: ${one.question}: ${answer}\n`);
    }
    if (one.fields.length === 0) continue;
    const hits = one.fields.filter(field => planned.includes(field)).length;
    recalls.push(hits / one.fields.length);
    if (planned.length > 0) precisions.push(hits / planned.length);
    if (saysGold(answer, one, fields)) gold++;
  }
  const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const row = (what: string, unit: string, ours: number, bar: number | null): BenchRow => {
    const ratio = bar === null || bar === 0 ? null : unit === 'ms' ? bar / ours : ours / bar;
    return { case: `${name}: ${what}`, unit, ours, peer: bar, ratio };
  };
  return [
    row('recall of the best fields at 15', 'share', mean(recalls), BARS.recall),
    row('precision of the plan', 'share', mean(precisions), BARS.precision),
    row('answers with an unsupported number', 'count', bad, BARS.unsupported),
    row('answers that say the gold sentence', 'share', gold / recalls.length, null),
    row('an answer, with fetch, p50', 'ms', percentile(times, 50), BARS.p50),
  ];
}

/** Times over all questions: some are planned so fast that one time says little. */
const PLANNED_TIMES = 5;

/** What the planner alone takes, in this process, once it has seen every question. */
function planning(questions: readonly Question[]): BenchRow[] {
  for (const { question } of questions) planQuestion(catalog, question);
  const times = Array.from({ length: PLANNED_TIMES }, () => questions).flatMap(all =>
    all.map(({ question }) => {
      const began = performance.now();
      planQuestion(catalog, question);
      return performance.now() - began;
    }),
  );
  const row = (p: number, bar: number | null): BenchRow => {
    const ours = percentile(times, p);
    return {
      case: `the planner alone, warm, p${p}`,
      unit: 'ms',
      ours,
      peer: bar,
      ratio: bar === null ? null : bar / ours,
    };
  };
  return [row(50, BARS.planner), row(95, null)];
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
  const meta = (await (await fetch(`${BASE}/v1/meta/fields`)).json()) as {
    fields: readonly { name: string; title: string; description: string }[];
  };
  const titleOf = new Map(meta.fields.map(f => [f.name, `${f.name.replace(/\D+/g, ' ')} ${f.title} ${f.description}`]));
  const { fitting, judging } = questionsInHalves();
  process.stdout.write('peer is the bar; a count of 0 is its own bar\n');
  report('ask', { questions: `${fitting.length} fitting, ${judging.length} judging` }, [
    ...(await judge('fitting', fitting, titleOf)),
    ...(await judge('judging', judging, titleOf)),
    ...planning([...fitting, ...judging]),
  ]);
} finally {
  server.kill();
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
