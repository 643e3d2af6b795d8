import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../server/errors/registry.ts';
import { submitExport } from '../../server/exports/submission.ts';
import { fetchBatch } from '../../server/fetch/batch.ts';
import { fileFieldRequest } from '../../server/field-requests/filing.ts';
import { PLANS } from '../../server/plans.ts';
import { submitRun } from '../../server/runs/operation.ts';
import type { Beginning } from './beginning.ts';
import { EXPORT_SERVICES, exportOf } from './export.ts';
import { inquire } from './inquiry.ts';
import { callbackOf, Model, placesOf } from './model.ts';
import { type Ask, type Fate, type PlanEvent, SERVERS, STORMY_STEPS } from './plan.ts';
import { simulatedBy } from './platform.ts';
import { Publication } from './publication.ts';
import { asParty, end, mixed, Scheduler, WORLD } from './scheduler.ts';
import { Server } from './server.ts';
import { Receivers } from './world.ts';

const HOUR = 3_600_000;
/** Milliseconds that pass between looks whether all has come to its end. */
const CALM_LEAPS = [1_000, 20_000, 62_000, 600_000, HOUR, 3 * HOUR, ...Array(12).fill(7 * HOUR)] as number[];
/** Longer than a key and a reservation are kept. */
const DAY_MS = 26 * HOUR;

/** How a seed ended. */
export interface Outcome {
  /** What was wrong; null where nothing was. */
  readonly breach: string | null;
  readonly steps: number;
  readonly fingerprint: number;
}

/** One history: servers over one store, and what happens to them by a plan. */
export class Simulation {
  readonly #by: Scheduler;
  readonly #plan: readonly PlanEvent[];
  readonly #model = new Model();
  readonly #receivers: Receivers;
  readonly #servers: Server[] = [];
  readonly #file: string;
  readonly #seen: DatabaseSync;
  readonly #restarts: { readonly step: number; readonly run: () => void }[] = [];
  readonly #homes: string;
  #publication: Publication | null = null;
  #isCalm = false;

  constructor(seed: number, plan: readonly PlanEvent[], { folder, file, accounts }: Beginning) {
    this.#by = new Scheduler(seed);
    this.#plan = plan;
    this.#receivers = new Receivers(this.#by);
    this.#file = join(folder, 'state.sqlite');
    copyFileSync(file, this.#file);
    this.#seen = new DatabaseSync(this.#file);
    this.#model.accounts = accounts;
    this.#homes = mkdtempSync(join(folder, 'homes-'));
    this.#model.aMinute = mixed(seed, 1) % 3 === 0 ? 8 : 40;
    const plans = PLANS as { free: { requestsPerMinute: number; waitingJobs: number } };
    plans.free.requestsPerMinute = this.#model.aMinute;
    plans.free.waitingJobs = mixed(seed, 2) % 3 === 0 ? 2 : 50;
  }

  async run(): Promise<Outcome> {
    const [by, model] = [this.#by, this.#model];
    simulatedBy(by);
    const unheard = (error: unknown) => model.fail(`a rejection that nobody heard: ${(error as Error).stack}`);
    process.on('unhandledRejection', unheard);
    try {
      for (let i = 0; i < SERVERS; i++) this.#start(i);
      this.#publication = new Publication(by, model, this.#homes, () => this.#isCalm);
      const events = this.#plan.values();
      let event = events.next().value;
      while (by.steps < STORMY_STEPS && !model.breach) {
        for (; event && event.step <= by.steps; event = events.next().value) this.#take(event);
        for (const { run } of this.#restarts
          .splice(0)
          .filter(each => each.step <= by.steps || !this.#restarts.push(each)))
          run();
        await by.step();
        if (by.steps % 50 === 0) model.audit(this.#seen);
        if (by.steps % 300 === 0) this.#publication.audit();
      }
      if (!model.breach) await this.#end();
      return { breach: model.breach, steps: by.steps, fingerprint: by.fingerprint };
    } finally {
      const parties = [...this.#servers.map(({ party }) => party), ...(this.#publication?.parties ?? [])];
      for (const party of parties) end(party);
      rmSync(this.#homes, { recursive: true });
      this.#seen.close();
      for (const end of ['', '-wal', '-shm']) rmSync(this.#file + end, { force: true });
      process.off('unhandledRejection', unheard);
      simulatedBy(null);
    }
  }

  #start(i: number): void {
    if (this.#servers[i]?.party.alive) return;
    this.#servers[i] = new Server(`server ${i}`, {
      by: this.#by,
      model: this.#model,
      receivers: this.#receivers,
      file: this.#file,
      home: join(this.#homes, `server-${i}`),
      isCalm: () => this.#isCalm,
    });
  }

  /** All is well from now on. Whatever was asked has to be answered, and what was begun has to end. */
  async #end(): Promise<void> {
    const [by, model] = [this.#by, this.#model];
    this.#isCalm = true;
    by.diskIsFull = false;
    for (const { run } of this.#restarts.splice(0)) run();
    for (const i of this.#servers.keys()) this.#start(i);
    for (const ms of CALM_LEAPS) {
      by.leap(ms);
      await this.#quiet();
      // Most callbacks are sent only now.
      this.#receivers.inTrouble = false;
      const open = [...model.standings.values()].filter(({ isOpen }) => isOpen);
      for (const { ask } of open) this.#send(ask, by.draw(SERVERS, ask.n), []);
      if (open.length > 0) await this.#quiet();
      if (this.#hasEnded || model.breach) break;
    }
    if (model.breach) return;
    model.auditOpen(this.#seen);
    // Reservations that were left expire.
    by.leap(DAY_MS);
    await this.#quiet();
    model.finale(this.#seen, this.#receivers.calls);
    const { held } = this.#seen.prepare('select coalesce(sum(held), 0) as held from credit_usage').get()!;
    this.#publication!.audit();
    if (!this.#publication!.isOver) model.fail('a release was not published everywhere');
    if (held !== 0) model.fail(`${held} credits stay reserved`);
  }

  get #hasEnded(): boolean {
    const one = (sql: string) => this.#seen.prepare(sql).get() !== undefined;
    return !(
      [...this.#model.standings.values()].some(({ isOpen, running }) => isOpen || running.length > 0) ||
      !this.#publication!.isOver ||
      one(`select 1 from runs where status in ('queued', 'running')`) ||
      one(`select 1 from exports where status in ('queued', 'running')`) ||
      one(`select 1 from field_request_deliveries where status = 'waiting'`)
    );
  }

  /** Lets everybody do what can be done now. */
  async #quiet(): Promise<void> {
    const [by, model] = [this.#by, this.#model];
    for (let [left, patience] = [3_000, 150]; left > 0 && patience > 0 && !model.breach; left--) {
      const isAwaited = () =>
        [...model.standings.values()].some(({ running }) => running.length > 0) ||
        this.#servers.some(({ isWorking }) => isWorking) ||
        this.#publication!.isWorking;
      if (!by.isBusy && !isAwaited()) return;
      if (!by.isBusy) patience--;
      await by.step(!by.isBusy);
    }
  }

  #take(event: PlanEvent): void {
    const server = this.#servers[event.server]!;
    const { party } = server;
    const after = (steps: number, run: () => void) => this.#restarts.push({ step: this.#by.steps + steps, run });
    switch (event.what) {
      case 'ask':
        this.#send(event.ask, event.server, event.fates);
        return;
      case 'kill':
        server.kill();
        after(event.steps, () => this.#start(event.server));
        return;
      case 'stop':
        server.stop(event.ms, () => {
          if (this.#isCalm) this.#start(event.server);
          else after(event.steps, () => this.#start(event.server));
        });
        return;
      case 'pause':
        party.paused = true;
        after(event.steps, () => {
          party.paused = false;
        });
        return;
      case 'full disk':
        this.#by.diskIsFull = true;
        after(event.steps, () => {
          this.#by.diskIsFull = false;
        });
        return;
      case 'broken connection':
        party.trouble = 'breaks';
        after(event.steps, () => {
          party.trouble = 'none';
        });
        return;
      case 'lost callbacks':
        this.#receivers.inTrouble = true;
        return;
      case 'jump':
        this.#model.clockWasWrong = true;
        party.skewMs = event.ms;
        after(event.steps, () => {
          party.skewMs = 0;
        });
        return;
      case 'release':
        this.#publication!.more();
        return;
      case 'kill of a home':
        this.#publication!.start(event.home);
        return;
      case 'leap':
        this.#by.leap(event.ms);
        if (event.ms >= 20 * HOUR) for (const standing of this.#model.standings.values()) standing.isOld = true;
        return;
      default:
        inquire(event, { server, model: this.#model, seen: this.#seen });
    }
  }

  /** A client sends something, and sends it again under its key as long as it hears nothing. */
  #send(ask: Ask, to: number, [fate = 'arrives', ...later]: readonly Fate[]): void {
    const [by, server] = [this.#by, this.#servers[to]!];
    const standing = this.#model.standing(ask);
    if (fate !== 'is lost') this.#execute(ask, server);
    const other = this.#servers[(to + 1) % SERVERS]!;
    if (fate === 'arrives twice') by.later(WORLD, 1 + by.draw(30), () => this.#execute(ask, other));
    if (this.#isCalm || later.length === 0) return;
    by.later(WORLD, 1_000 + by.draw(20_000, ask.n), () => {
      if (this.#isCalm) return;
      const again = fate === 'is not answered' && ask.key !== null && !standing.isOld;
      if (standing.isOpen || again) this.#send(ask, (to + 1) % SERVERS, later);
    });
  }

  #execute(ask: Ask, server: Server): void {
    const model = this.#model;
    const { services, party } = server;
    if (!services) return;
    const account = model.accounts[ask.account]!;
    model.begins(ask, server);
    const work = async (): Promise<object> => {
      const judge = model.counting(account, () => Math.floor(services.clock.now() / 60_000));
      const { isOver } = await services.limit.request(account);
      judge(isOver);
      if (isOver) throw new ServiceError('rate_limited', { what: 'Too many requests' }, {}, 1);
      return this.#do(ask, server.contextOf(account));
    };
    asParty(party, work).then(
      answer => model.answered(ask, server, answer),
      (error: unknown) => model.refused(ask, server, error),
    );
  }

  async #do(ask: Ask, ctx: ReturnType<Server['contextOf']>): Promise<object> {
    const body = { locations: placesOf(ask), fields: [...ask.fields] };
    if (ask.kind === 'batch') return fetchBatch(ctx, body, { idempotencyKey: ask.key });
    if (ask.kind === 'export') return submitExport(ctx, EXPORT_SERVICES, exportOf(ask), ask.key);
    if (ask.kind === 'run') return submitRun(ctx, { kind: 'fetch_batch', request: body }, ask.key);
    const filing = {
      description: `Something that nobody has, number ${ask.n}`,
      example_locations: placesOf(ask),
      callback: { webhook_url: callbackOf(ask) },
      ...(ask.key === null ? {} : { idempotency_key: ask.key }),
    };
    const { answer } = await fileFieldRequest(ctx, { client: this.#receivers.client }, filing as never);
    const { request_id } = answer;
    return { request_id };
  }
}
