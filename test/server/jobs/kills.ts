import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { doJob } from '../../../server/jobs/attempt.ts';
import { type JobKind, jobOf } from '../../../server/jobs/job-kind.ts';
import { readRun, submitRun } from '../../../server/runs/operation.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import { contextFor, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import type { StoreKind } from '../state/state-stores.ts';
import { type Aging, aging, mark } from './aging.ts';
import { BODY, keyOf, PRICE } from './killed-run.ts';

const PROGRAM = fileURLToPath(new URL('./dying-process.ts', import.meta.url));

/** Starts a server that works until a moment and kills itself; through when it is dead. */
async function die({ where, clock }: Aging, moment: number, work: 'count' | 'run'): Promise<void> {
  const args = [
    '--experimental-strip-types',
    '--no-warnings',
    PROGRAM,
    where.home,
    where.url,
    String(clock.time),
    String(moment),
    work,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

/** Does what waits or was left behind, until there is nothing. */
async function finishAll(at: Aging, kind: JobKind): Promise<void> {
  const fixture = await openFixture({ state: at.state, clock: at.clock, cache: false });
  const ctx = { ...contextFor(fixture), callbacks: NO_CALLBACKS };
  const { signal } = new AbortController();
  for (let idle = 0; idle < 3; ) {
    const claim = await at.jobs.claim(kind.name);
    if (claim) await doJob(ctx, kind, claim, signal);
    else await at.pass(at.jobs.leaseMs + 2_000);
    idle = claim ? 0 : idle + 1;
  }
}

const counting: JobKind<{ readonly name: string }> = {
  ...{ name: 'count', summary: 'Counts.', atOnce: 1, attempts: 50, retryMs: 1_000, mostMs: 1_000 },
  run: async (_services, { data }) => mark(data.name),
  ended: ({ data }) => mark(`${data.name} ended`),
};

/** Servers die at moments, several at a time; every job has had its effect once, whoever began it. */
export async function killWorkers(kind: StoreKind, rounds: readonly (readonly number[])[]): Promise<void> {
  const at = await aging(kind);
  await at.jobs.enqueue(jobOf(counting, 'before', { name: 'before' }, null));
  for (const moments of rounds) {
    await Promise.all(moments.map(moment => die(at, moment, 'count')));
    await at.pass(at.jobs.leaseMs + 2_000);
  }
  await finishAll(at, counting);
  const names = rounds.flat().flatMap(moment => [`a${moment}`, `b${moment}`]);
  expect(await at.effects()).toEqual(['before', ...names].sort());
  const jobs = await at.jobs.jobs({ kind: 'count', limit: 500 });
  expect(jobs.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(jobs).toHaveLength(names.length + 1);
}

/**
 * A server dies at a moment of a run that is submitted and worked on: it is as if it had never been submitted, or it is done
 * and charged, or it has failed as interrupted and cost nothing; its client submits it again, and pays once.
 * @param moment of a process of its own; `claimed` leaves here what one leaves that dies as soon as it has the run.
 * @returns how it was found after the kill.
 */
export async function killRun(kind: StoreKind, moment: number | 'claimed'): Promise<string> {
  const at = await aging(kind);
  const { state, clock } = at;
  const fixture = await openFixture({ state, clock, cache: false });
  const ctx = contextFor(fixture);
  const spentAndHeld = async () => {
    const { spent, held } = await state.ledger.usage(fixture.account.id, '2026-01', clock.time);
    return { spent, held };
  };
  const before = await spentAndHeld();
  expect(before.held).toBe(0);
  if (moment === 'claimed') {
    await submitRun(ctx, BODY, keyOf(moment));
    expect(await at.jobs.claim(runJob.name)).not.toBeNull();
  } else await die(at, moment, 'run');
  // The lease of the key, and that of the job.
  await at.pass(31_000);
  await finishAll(at, runJob);
  const { run_id, replayed } = await submitRun(ctx, BODY, keyOf(moment));
  await finishAll(at, runJob);
  const found = await readRun(ctx, run_id);
  if (found.status === 'failed') {
    expect(found.error).toMatchObject({ error: 'run_interrupted', retryable: true });
    expect(await spentAndHeld()).toEqual(before);
    const again = await submitRun(ctx, BODY, `${keyOf(moment)}-again`);
    await finishAll(at, runJob);
    expect((await readRun(ctx, again.run_id)).status).toBe('done');
  } else expect(found).toMatchObject({ status: 'done', progress: { done: 2, total: 2 } });
  expect(await spentAndHeld()).toEqual({ spent: before.spent + PRICE, held: 0 });
  return replayed ? found.status : 'anew';
}
