import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { areaOf, type PublishedFile } from '../../datasets/acquire.ts';
import type { Catalog } from '../../datasets/catalog.ts';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { type Located, LocateError, locate } from '../../ingest/acquire/locate.ts';
import { type Presence, presenceOf } from '../../ingest/acquire/presence.ts';

/** One address of the catalog for one area, or a dataset whose files are put there by hand. */
export interface CheckedSource {
  readonly dataset: string;
  readonly layers: readonly string[];
  /** Five digits of the county, two letters of the state, or null for a file of the nation. */
  readonly area: string | null;
  readonly verdict: Presence['verdict'] | 'by hand' | 'not asked';
  readonly url: string | null;
  readonly detail: string | null;
  readonly vintage: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** Where and when the form of the address was looked up before. */
  readonly seen: string | null;
  readonly checkedAt: string;
}

interface Job {
  readonly file: PublishedFile;
  readonly dataset: Dataset;
  readonly area: string | null;
  readonly located: Located;
}

interface Reply {
  readonly key: string;
  readonly checkedAt: string;
  readonly presence: Presence;
}

interface CheckOptions {
  readonly client: Client;
  /** Five-digit codes of the counties. */
  readonly counties: readonly string[];
  /** File to which each answer is added at once, so that a check that was stopped goes on. */
  readonly record: string;
  /** Milliseconds for which an answer counts. */
  readonly maxAgeMs: number;
  readonly now: () => Date;
  /** Waits between requests to one host. */
  readonly pause?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Hosts that are asked at once; each is asked one thing at a time. */
const HOSTS = 6;
const PAUSE_MS = 500;

const STATES = new Map(Object.entries(STATE_FIPS).map(([state, fips]) => [fips, state]));

const keyOf = ({ via, url, where, box }: Located) => [via, url, where, box?.join(',') ?? ''].join(' ');

function earlierOf(record: string): Map<string, Reply> {
  const found = new Map<string, Reply>();
  let text: string;
  try {
    text = readFileSync(record, 'utf8');
  } catch {
    return found;
  }
  for (const line of text.split('\n'))
    try {
      const reply = JSON.parse(line) as Reply;
      found.set(reply.key, reply);
    } catch {
      // The last line of a check that was killed may be half.
    }
  return found;
}

/** Every column that the layers of a file read, in every spelling. */
function columnsRead({ layers }: Dataset, file: PublishedFile): string[] {
  return Object.entries(layers)
    .filter(([name]) => !file.layers || file.layers.includes(name))
    .flatMap(([, layer]) => ('columns' in layer ? Object.entries(layer.columns) : []))
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

/** The addresses to ask, each once, and what is not asked with the reason. */
function jobsOf(catalog: Catalog, counties: readonly string[], checkedAt: string) {
  const jobs: Job[] = [];
  const rest: CheckedSource[] = [];
  const states = [...new Set(counties.map(county => county.slice(0, 2)))];
  const none = { area: null, url: null, vintage: null, bytes: null, rows: null, seen: null, checkedAt };
  for (const dataset of catalog.datasets.values()) {
    const { acquire, id } = dataset;
    if (acquire.byHand !== undefined)
      rest.push({ ...none, dataset: id, layers: [], verdict: 'by hand', detail: acquire.byHand });
    for (const file of acquire.files ?? []) {
      const layers = file.layers ?? Object.keys(dataset.layers);
      const kind = areaOf(file);
      const areas = kind === 'county' ? counties : kind === 'state' ? states : [null];
      for (const area of areas) {
        const county = area?.length === 5 ? area : `${area ?? states[0]}${counties[0]!.slice(2)}`;
        const state = STATES.get(county.slice(0, 2));
        if (state === undefined) continue;
        try {
          const named = area?.length === 2 ? state : area;
          jobs.push({ file, dataset, area: named, located: locate(file, {}, { state, county }) });
        } catch (error) {
          if (!(error instanceof LocateError)) throw error;
          rest.push({ ...none, dataset: id, layers, verdict: 'not asked', url: file.url, detail: error.message });
          break;
        }
      }
    }
  }
  return { jobs, rest };
}

/** The host that answers for a file; files behind an index page are asked of the page's. */
export function hostOf({ url, vintage }: Located): string {
  const address = vintage && 'index' in vintage ? vintage.index : url;
  return URL.parse(address.replaceAll(/[{}]/g, ''))?.host ?? '';
}

/**
 * Asks every address of the catalog for some counties whether it is still there: politely, one request at a time of a host and
 * a pause after it, each address once. What was asked less than `maxAgeMs` ago is not asked again.
 */
export async function* checkSources(catalog: Catalog, options: CheckOptions): AsyncGenerator<CheckedSource> {
  const { client, counties, record, maxAgeMs, now, signal } = options;
  const pause = options.pause ?? (() => sleep(PAUSE_MS, undefined, { signal }));
  const { jobs, rest } = jobsOf(catalog, counties, now().toISOString());
  yield* rest;
  const earlier = earlierOf(record);
  mkdirSync(dirname(record), { recursive: true });
  const byHost = new Map<string, Job[]>();
  for (const job of jobs) byHost.set(hostOf(job.located), [...(byHost.get(hostOf(job.located)) ?? []), job]);

  const askOf = async (job: Job): Promise<{ reply: Reply; isFresh: boolean }> => {
    const key = keyOf(job.located);
    const before = earlier.get(key);
    if (before && now().getTime() - Date.parse(before.checkedAt) < maxAgeMs) return { reply: before, isFresh: false };
    const read = columnsRead(job.dataset, job.file);
    const tools = { client, now: now(), signal };
    const presence = await presenceOf(job.located, read, before?.presence ?? null, tools);
    const reply = { key, checkedAt: now().toISOString(), presence };
    earlier.set(key, reply);
    appendFileSync(record, `${JSON.stringify(reply)}\n`);
    return { reply, isFresh: true };
  };

  const done: CheckedSource[] = [];
  const queue = [...byHost.values()];
  let failure: unknown = null;
  let wake = () => {};
  let working = Math.min(HOSTS, queue.length);
  const work = async () => {
    for (let host = queue.shift(); host && failure === null; host = queue.shift())
      for (const job of host) {
        const { reply, isFresh } = await askOf(job);
        const { verdict, url, detail, vintage, bytes, rows } = reply.presence;
        const { seen, seenOn } = job.file;
        done.push({
          ...{ dataset: job.dataset.id, layers: job.file.layers ?? Object.keys(job.dataset.layers), area: job.area },
          ...{ verdict, url, detail, vintage, bytes, rows, checkedAt: reply.checkedAt },
          seen: seenOn === undefined ? seen : `${seen}, ${seenOn}`,
        });
        wake();
        if (isFresh) await pause();
      }
  };
  const workers = Array.from({ length: working }, () =>
    work()
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        working--;
        wake();
      }),
  );
  while (working > 0 || done.length > 0) {
    yield* done.splice(0);
    if (failure !== null) break;
    if (working > 0 && done.length === 0)
      await new Promise<void>(resolve => {
        wake = resolve;
      });
  }
  await Promise.all(workers);
  if (failure !== null) throw failure;
}
