import type { Ctx } from '../../server/context.ts';
import { exportJob } from '../../server/exports/export-job.ts';
import { deliveryJob } from '../../server/field-requests/callbacks/delivery-job.ts';
import type { JobKind, JobServices } from '../../server/jobs/job-kind.ts';
import { type JobWorker, workOnJobs } from '../../server/jobs/worker.ts';
import { batchGate } from '../../server/lease/gate.ts';
import { createMailLinks } from '../../server/mail/links.ts';
import { type RateLimit, rateLimit } from '../../server/rate/limit.ts';
import { ReleaseChoice } from '../../server/release/choice.ts';
import { runJob } from '../../server/runs/run-job.ts';
import { SCOPES } from '../../server/scopes.ts';
import type { Account } from '../../server/state/account.ts';
import { keepTidy } from '../../server/state/housekeeping.ts';
import { openSqlite } from '../../server/state/sqlite.ts';
import { Bill } from '../../server/state/usage/bill.ts';
import type { Model } from './model.ts';
import { START } from './platform.ts';
import { asParty, end, type Party, partyNamed, type Scheduler } from './scheduler.ts';
import { CATALOG, type Receivers, simulatedEngine } from './world.ts';

const SECRET = 'a secret of the simulation that is long enough';

/** Work that is for nobody, or that several accounts want. */
export const TICKING: JobKind = {
  name: 'tick',
  summary: 'Is due every minute.',
  atOnce: 1,
  attempts: 3,
  retryMs: 1_000,
  mostMs: 5_000,
  cron: '* * * * *',
  run: async () => undefined,
};

/** What servers share. */
export interface Surroundings {
  readonly by: Scheduler;
  readonly model: Model;
  readonly receivers: Receivers;
  /** The file of the state store. */
  readonly file: string;
  /** Where files lie while they are written. */
  readonly home: string;
  /** Whether nothing goes wrong any more. */
  readonly isCalm: () => boolean;
}

/** A server: the real parts of one, over the file that all of them share. */
export class Server {
  readonly party: Party;
  readonly #around: Surroundings;
  /** Jobs that it does now. */
  #jobs = 0;
  #worker: JobWorker | null = null;
  /** Whether it was told to stop: then it takes no requests. */
  #isStopping = false;
  #services: (JobServices & { readonly limit: RateLimit }) | null = null;

  constructor(name: string, around: Surroundings) {
    this.party = partyNamed(name);
    this.#around = around;
    void asParty(this.party, () => this.#start()).catch((error: unknown) => around.model.died(this, error));
  }

  /** Whether it starts, or does a job. */
  get isWorking(): boolean {
    return this.party.alive && (!this.#services || this.#jobs > 0 || this.#isStopping);
  }

  /** Null as long as it cannot be asked. */
  get services(): (JobServices & { readonly limit: RateLimit }) | null {
    return this.party.alive && !this.#isStopping ? this.#services : null;
  }

  /** What a request of an account is done with. */
  contextOf(account: Account): Ctx {
    const services = this.#services!;
    return {
      ...services,
      account,
      // A token that has more to spend than its account.
      credential: { kind: 'token', jti: account.id, grantId: account.id, scopes: SCOPES, creditsADay: 1_000 },
      signal: new AbortController().signal,
      deadline: services.clock.now() + 90_000,
      requestId: 'simulated',
      bill: new Bill(),
      release: new ReleaseChoice(services.engine),
    };
  }

  /** Ends it as `kill -9` does. */
  kill(): void {
    end(this.party);
    this.#around.model.killed(this);
  }

  /** Ends it as its keeper does: its jobs may end or go back to the queue. @param ms that they have. @param ended when it has. */
  stop(ms: number, ended: () => void): void {
    const worker = this.#worker;
    if (!this.services || !worker) return;
    this.#isStopping = true;
    const gone = () => {
      if (!this.party.alive) return;
      this.kill();
      ended();
    };
    void asParty(this.party, () => worker.stop(ms)).then(gone, error => this.#around.model.fail(String(error)));
  }

  async #start(): Promise<void> {
    const { by, model, receivers, file, home, isCalm } = this.#around;
    const clock = { now: () => START + by.now + this.party.skewMs };
    // A full disk or a broken connection ends a server that starts; whoever keeps it starts it again.
    const state = await openSqlite(file, null, clock);
    const engine = simulatedEngine(by, isCalm);
    const services: JobServices = {
      engine,
      catalog: CATALOG,
      cache: null,
      clock,
      geocoder: { open: () => Promise.reject(new Error('nobody sends an address')) },
      state: { ...state, jobs: model.queues.judged(this.party.name, state.jobs, clock) },
      outliving: new Set(),
      language: { have: () => Promise.reject(new Error('nobody speaks here')) },
      home,
      batches: batchGate(2),
      log: { error() {} },
      callbacks: {
        client: receivers.client,
        mailer: { leaves: false, send: async () => {}, close() {} },
        mailLinks: createMailLinks(SECRET, 'https://plat.example'),
        secret: null,
        publicUrl: 'https://plat.example',
      },
    };
    this.#services = { ...services, limit: rateLimit(state, clock) };
    this.#worker = workOnJobs(services, this.#kinds());
    keepTidy(state, clock, () => {});
  }

  /** Fewer at once than a real server has: idle ones look for work all the time. */
  #kinds(): JobKind[] {
    const { model } = this.#around;
    const kinds = [runJob, deliveryJob, exportJob, TICKING] as readonly JobKind[];
    return kinds.map(kind => ({
      ...kind,
      atOnce: kind.name === 'run' ? 2 : 1,
      run: async (services, job) => {
        if (kind.name === 'run') model.runBegins(job.id);
        this.#jobs++;
        return kind.run(services, job).finally(() => this.#jobs--);
      },
    }));
  }
}
