import cluster from 'node:cluster';
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { failureOf, type PlaceState } from '../../query/release/home/place-states.ts';
import type { CacheCounts } from '../answer-cache.ts';
import { Lease, leasesHeld } from '../lease/lease.ts';
import type { Replica } from '../replica/replica-state.ts';
import type { StateStore } from '../state/store.ts';
import { lastBackup } from './last-backup.ts';
import { METRICS, type MetricKind, type MetricName } from './registry.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Milliseconds between two looks at the event loop. */
const LOOK_MS = 1;

/** Places that have a label of their own. */
const PLACE_LABELS = 500;

/** The sources that are read each time metrics are asked for. */
interface MetricSources {
  readonly engine: Pick<Engine, 'status' | 'retrieved'>;
  /** Null when there is no cache. */
  readonly cache: { counts(): CacheCounts } | null;
  readonly state: Pick<StateStore, 'health' | 'jobs'>;
  /** PLAT_HOME. */
  readonly home: string;
  /** Null when releases are those of the home alone. */
  readonly replica: Pick<Replica, 'state'> | null;
  /** How the places of the home stand, by name. */
  readonly places?: () => Readonly<Record<string, PlaceState>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Lets those who ask at the same time have one answer. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().finally(() => {
      answer = null;
    });
    return answer;
  };
}

/** Counts events and answers GET /metrics. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = this.#counter('plat_requests_total');
  readonly #requestSeconds = this.#histogram('plat_request_seconds');
  readonly #running = this.#gauge('plat_requests_running');
  readonly #stateSeconds = this.#histogram('plat_state_seconds');
  readonly #reserved = this.#counter('plat_credits_reserved_total');
  readonly #spent = this.#counter('plat_credits_spent_total');
  readonly #refused = this.#counter('plat_credits_refused_total');
  #server: FastifyInstance['server'] | null = null;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // The keeper of several processes counts for all.
    if (!cluster.isWorker) {
      this.#counter('plat_process_restarts_total');
      this.#gauge('plat_processes').set(1);
      this.#gauge('plat_processes_ready').set(1);
    }
    const loop = monitorEventLoopDelay({ resolution: LOOK_MS });
    loop.enable();
    this.#gauge('plat_event_loop_delay_seconds', gauge => {
      // Node counts the time between two looks; without any there is nothing to tell.
      gauge.set(loop.count === 0 ? 0 : Math.max(0, loop.percentile(99.9) / 1e6 - LOOK_MS) / 1000);
      loop.reset();
    });
  }

  /** Starts to count the requests of an application. */
  follow(app: FastifyInstance): void {
    this.#server = app.server;
    app.addHook('preValidation', (request, reply, done) => {
      const ofClass = { class: request.account?.plan ?? 'none' };
      this.#running.inc(ofClass);
      new Lease('running', () => this.#running.dec(ofClass)).until(reply.raw);
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'none';
      this.#requests.inc({ route, method: request.method, status: reply.statusCode });
      this.#requestSeconds.observe({ route }, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Wraps a store so that its credits and the duration of its calls are counted. */
  watch(state: StateStore): StateStore {
    const { ledger, idempotency } = state;
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const end = this.#stateSeconds.startTimer();
      try {
        return await work;
      } finally {
        end();
      }
    };
    return {
      ...state,
      token: jti => timed(state.token(jti)),
      requests: { count: (accountId, minute) => timed(state.requests.count(accountId, minute)) },
      ledger: {
        ...ledger,
        reserve: async request => {
          const held = await timed(ledger.reserve(request));
          if ('refused' in held) this.#refused.inc({ endpoint: request.endpoint });
          else this.#reserved.inc({ endpoint: request.endpoint }, held.reserved);
          return held;
        },
        settle: async (reservation, cost, now) => {
          const settled = await timed(ledger.settle(reservation, cost, now));
          if (settled) this.#spent.inc(cost);
          return settled;
        },
      },
      idempotency: {
        ...idempotency,
        complete: async (claim, response, charge) => {
          const outcome = await timed(idempotency.complete(claim, response, charge));
          if (outcome && outcome !== 'lost' && outcome !== 'unaffordable') this.#spent.inc(charge.cost);
          return outcome;
        },
      },
    };
  }

  /** Sets the sources that are read each time metrics are asked for. */
  read({ engine, cache, state, home, replica, places, now }: MetricSources): void {
    const workers = () => engine.status().workers;
    this.#gauge('plat_workers', gauge => gauge.set(workers().size));
    this.#gauge('plat_workers_ready', gauge => gauge.set(workers().ready));
    this.#gauge('plat_queue_waiting', gauge => gauge.set(engine.status().waiting));
    this.#gauge('plat_leases', gauge => {
      for (const [kind, count] of leasesHeld()) gauge.set({ kind }, count);
    });
    this.#gauge('plat_connections', async gauge => gauge.set(await this.#connections()));
    this.#gauge('plat_cache_bytes', gauge => gauge.set(cache?.counts().bytes ?? 0));
    let counted: CacheCounts = { bytes: 0, hits: 0, misses: 0 };
    this.#counter('plat_cache_lookups_total', counter => {
      const counts = cache?.counts() ?? counted;
      counter.inc({ found: 'yes' }, counts.hits - counted.hits);
      counter.inc({ found: 'no' }, counts.misses - counted.misses);
      counted = counts;
    });
    this.#gauge('plat_state_up', gauge => gauge.set(state.health.failing ? 0 : 1));
    let outages = 0;
    this.#counter('plat_state_outages_total', counter => {
      counter.inc(state.health.outages - outages);
      outages = state.health.outages;
    });
    this.#gauge('plat_release_info', gauge => {
      gauge.reset();
      const { release } = engine.status();
      if (release !== null) gauge.set({ release }, 1);
    });
    const newest = () => new Map([...engine.retrieved()].map(([dataset, at]) => [dataset, Date.parse(at)]));
    this.#gauge('plat_dataset_age_seconds', gauge => {
      gauge.reset();
      for (const [dataset, at] of newest()) gauge.set({ dataset }, (now() - at) / 1000);
    });
    this.#gauge('plat_release_age_seconds', gauge => {
      const moments = [...newest().values()];
      if (moments.length > 0) gauge.set((now() - Math.max(...moments)) / 1000);
    });
    this.#readJobs(state, now);
    this.#readHome(home, now);
    if (places) this.#readPlaces(places, now);
    if (replica) this.#readReplica(replica);
    this.#gauge('plat_damaged_files', gauge => {
      gauge.reset();
      for (const { file, layers } of engine.status().damage)
        for (const layer of layers.length > 0 ? layers : [file]) gauge.inc({ layer });
    });
  }

  #readJobs({ health, jobs }: MetricSources['state'], now: () => number): void {
    // What is not known in an outage is not told; plat_state_up says why.
    const tally = together(async () => (health.failing ? [] : jobs.tally().catch(() => [])));
    this.#gauge('plat_jobs', async gauge => {
      const counts = await tally();
      gauge.reset();
      for (const { kind, status, count } of counts) gauge.set({ kind, status }, count);
    });
    this.#gauge('plat_jobs_waiting_seconds', async gauge => {
      const counts = await tally();
      gauge.reset();
      for (const { kind, status, since } of counts)
        if (status === 'waiting' && since <= now()) gauge.set({ kind }, (now() - since) / 1000);
    });
  }

  #readHome(home: string, now: () => number): void {
    const disk = together(() => statfs(home));
    this.#gauge('plat_disk_bytes', async gauge => {
      const { bsize, blocks } = await disk();
      gauge.set(bsize * blocks);
    });
    this.#gauge('plat_disk_free_bytes', async gauge => {
      const { bsize, bavail } = await disk();
      gauge.set(bsize * bavail);
    });
    this.#gauge('plat_backup_age_seconds', gauge => {
      const backupAt = lastBackup(home);
      // Without a value there is nothing to tell; a reset would tell 0.
      if (backupAt === null) gauge.remove();
      else gauge.set(Math.max(0, (now() - backupAt) / 1000));
    });
  }

  #readReplica(replica: Pick<Replica, 'state'>): void {
    this.#gauge('plat_replica_number', gauge => gauge.set(replica.state.number));
    this.#gauge('plat_replica_failing', gauge => gauge.set(replica.state.problem ? 1 : 0));
    let counted = 0;
    this.#counter('plat_replica_bytes_total', counter => {
      const { bytes } = replica.state;
      // A thread that was started again counts from 0.
      counter.inc(bytes < counted ? bytes : bytes - counted);
      counted = bytes;
    });
  }

  #readPlaces(places: NonNullable<MetricSources['places']>, now: () => number): void {
    const secondsSince = (at: string | null | undefined) => (at ? Math.max(0, (now() - Date.parse(at)) / 1000) : null);
    const each = (name: MetricName, of: (state: PlaceState) => number | null) =>
      this.#gauge(name, gauge => {
        gauge.reset();
        const failing = ([, state]: [string, PlaceState]) => secondsSince(failureOf(state)?.since) ?? 0;
        const states = Object.entries(places()).sort((a, b) => failing(b) - failing(a) || (a[0] < b[0] ? -1 : 1));
        const rest: number[] = [];
        for (const [i, [place, state]] of states.entries()) {
          const seconds = of(state);
          if (seconds === null) continue;
          if (i < PLACE_LABELS) gauge.set({ place }, seconds);
          else rest.push(seconds);
        }
        if (rest.length > 0) gauge.set({ place: 'other' }, Math.max(...rest));
      });
    each('plat_place_failing_seconds', state => secondsSince(failureOf(state)?.since) ?? 0);
    each('plat_place_age_seconds', ({ newAt }) => secondsSince(newAt));
    each('plat_place_asked_seconds', ({ askedAt }) => secondsSince(askedAt));
  }

  #connections(): Promise<number> {
    return new Promise(resolve => {
      if (this.#server) this.#server.getConnections((_, count) => resolve(count ?? 0));
      else resolve(0);
    });
  }

  #describe(name: MetricName) {
    const { help, labels = [], together = 'sum' }: MetricKind = METRICS[name];
    return { name, help, labelNames: [...labels], aggregator: together, registers: [this.registry] };
  }

  #counter(name: MetricName, collect?: (counter: Counter) => void): Counter {
    const counter: Counter = new Counter({
      ...this.#describe(name),
      ...(collect ? { collect: () => collect(counter) } : {}),
    });
    return counter;
  }

  #gauge(name: MetricName, collect?: (gauge: Gauge) => void | Promise<void>): Gauge {
    const gauge: Gauge = new Gauge({ ...this.#describe(name), ...(collect ? { collect: () => collect(gauge) } : {}) });
    return gauge;
  }

  #histogram(name: MetricName): Histogram {
    return new Histogram({ ...this.#describe(name), buckets: SECONDS });
  }
}
