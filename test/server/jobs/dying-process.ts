// A server that kills itself, without a chance to finish anything, at one moment of its work: before or after a call to its
// queue, its runs or its ledger, or within the transaction that ends a job. Arguments: home, state URL, what its clock
// says, the moment (from 1), and `count` to work on jobs that count or `run` to submit a run and work on it.
import { flushCompileCache } from 'node:module';
import { type JobKind, jobOf } from '../../../server/jobs/job-kind.ts';
import { workOnJobs } from '../../../server/jobs/worker.ts';
import { submitRun } from '../../../server/runs/operation.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import type { Effect } from '../../../server/state/jobs/queue.ts';
import { openState } from '../../../server/state/open.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import { FakeClock } from '../fake-clock.ts';
import { contextFor, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { mark } from './aging.ts';
import { BODY, keyOf } from './killed-run.ts';

const [home, url, time, moment, work] = process.argv.slice(2) as [string, string, string, string, 'count' | 'run'];
// It dies, and could not leave to the next what it has compiled.
flushCompileCache();
let left = Number(moment);
const pass = () => {
  if (--left <= 0) process.kill(process.pid, 'SIGKILL');
};

/** The same, where every call, and every effect that it is given, is a moment before and after. */
const dying = <T extends object>(of: T): T =>
  new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        pass();
        const given = args.map(arg => {
          if (typeof arg !== 'function') return arg;
          const effect = arg as Effect;
          const wrapped: Effect = async (tx, changes) => {
            pass();
            await effect(tx, changes);
            pass();
          };
          return wrapped;
        });
        const answer: unknown = value.apply(target, given);
        if (!(answer instanceof Promise)) return answer;
        return answer.then(result => {
          pass();
          return result;
        });
      };
    },
  });

const clock = new FakeClock();
clock.time = Number(time);
const opened = await (url === '' ? openSqlite(`${home}/state.sqlite`, null, clock) : openState(home, url));
const state = { ...opened, jobs: dying(opened.jobs), runs: dying(opened.runs), ledger: dying(opened.ledger) };
const ctx = { ...contextFor(await openFixture({ state, clock, cache: false })), callbacks: NO_CALLBACKS };

/** Three steps, then its name among the effects. */
const counting: JobKind<{ readonly name: string }> = {
  name: 'count',
  summary: 'Counts.',
  atOnce: 1,
  attempts: 50,
  retryMs: 1_000,
  mostMs: 1_000,
  async run(_services, { data, progress }) {
    for (let step = 1; step <= 3; step++) await progress(step, 3);
    return mark(data.name);
  },
  ended: ({ data }) => mark(`${data.name} ended`),
};

if (work === 'run') await submitRun(ctx, BODY, keyOf(moment));
else for (const name of [`a${moment}`, `b${moment}`]) await opened.jobs.enqueue(jobOf(counting, name, { name }, null));
workOnJobs(ctx, work === 'run' ? [runJob] : [counting]);
// What looks for jobs keeps no process; one over SQLite would end by itself when there is nothing to do.
setInterval(() => {}, 60_000);
