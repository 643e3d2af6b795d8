import type { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { ServiceError } from '../../server/errors/registry.ts';
import type { BatchResult } from '../../server/fetch/batch-schema.ts';
import type { Account } from '../../server/state/account.ts';
import { isTrouble } from './database.ts';
import { ACCOUNTS, type Ask } from './plan.ts';
import { QueueJudge } from './queue-judge.ts';
import type { Server } from './server.ts';
import { type Call, noteOf } from './world.ts';

/** Credits a month that each account may spend. */
export const LIMIT = 40;

/** What a well-formed ask may be refused with. */
const REFUSALS: ReadonlySet<string> = new Set([
  'batch_in_progress',
  'credits_exhausted',
  'idempotency_key_reused',
  'rate_limited',
]);

/** The places of an ask. */
export const placesOf = ({ n, places }: Ask) =>
  Array.from({ length: places }, (_, i) => ({ lat: Number((30 + n / 100 + i / 1000).toFixed(4)), lng: -90 }));
export const costOf = ({ places, fields }: Ask): number => places * fields.length;
export const callbackOf = ({ n }: Ask): string => `https://receiver.example/${n}`;

/** How it stands with an ask. */
class Standing {
  readonly ask: Ask;
  /** Answers of those who did it; under a key all have the same one. */
  readonly answers: string[] = [];
  isRefused = false;
  /** Times that it may have been done without that anybody heard of it. */
  unheard = 0;
  /** Times that it runs now, by server. */
  readonly running: Server[] = [];
  /** When it was begun and ended last, counted in such events. */
  begunAt = 0;
  leftAt = 0;
  /** Whether its key was forgotten meanwhile: from then on it may be done anew. */
  isOld = false;
  constructor(ask: Ask) {
    this.ask = ask;
  }
  get isOpen(): boolean {
    return this.ask.key !== null && !this.isOld && this.answers.length === 0 && !this.isRefused;
  }
}

/** Judges what servers answer by what they were asked. */
export class Model {
  breach: string | null = null;
  readonly standings = new Map<number, Standing>();
  accounts: readonly Account[] = [];
  /** Whether a clock was wrong: what depends on clocks of several servers is not judged then. */
  clockWasWrong = false;
  /** Whether an operator ended or began jobs. */
  operatorActed = false;
  #moment = 0;
  #lostCommits = 0;
  /** Requests a minute of the plan. */
  aMinute = 0;
  readonly queues = new QueueJudge(this);
  readonly #begun = new Set<string>();
  /** Minutes of the requests that are being counted now, by account. */
  readonly #under = new Map<string, number[]>();
  readonly #counted = new Map<string, { asked: number; admitted: number }>();

  fail(what: string): void {
    this.breach ??= what;
  }

  died(server: Server, error: unknown): void {
    // A server that cannot open its store ends, and is started again.
    if (!isTrouble((error as Error).cause)) this.fail(`${server.party.name} did not start: ${(error as Error).stack}`);
    server.kill();
  }

  standing(ask: Ask): Standing {
    const before = this.standings.get(ask.n) ?? new Standing(ask);
    this.standings.set(ask.n, before);
    return before;
  }

  begins(ask: Ask, server: Server): void {
    const standing = this.standing(ask);
    standing.running.push(server);
    standing.begunAt = ++this.#moment;
  }

  /** A server was killed with all that it did. */
  killed(server: Server): void {
    for (const standing of this.standings.values()) while (this.#leave(standing, server)) standing.unheard++;
  }

  #leave(standing: Standing, server: Server): boolean {
    const i = standing.running.indexOf(server);
    if (i >= 0) standing.running.splice(i, 1);
    standing.leftAt = ++this.#moment;
    return i >= 0;
  }

  /** An ask was answered. */
  answered(ask: Ask, server: Server, answer: object): void {
    const standing = this.standing(ask);
    if (!this.#leave(standing, server)) return;
    const { replayed, ...rest } = answer as { replayed?: true };
    const said = JSON.stringify(rest);
    if (ask.kind === 'batch') this.#judgeResult(ask, rest as BatchResult, 'the answer to');
    if (replayed && ask.key === null) this.fail(`${ask.kind} ${ask.n} is a replay without a key`);
    if (ask.key !== null && standing.answers.includes(said)) return;
    standing.answers.push(said);
    if (ask.key !== null && !standing.isOld && standing.answers.length > 1)
      this.fail(`${ask.kind} ${ask.n} was done twice under its key: ${standing.answers.join(' and ')}`);
  }

  /** An ask was refused, or failed. */
  refused(ask: Ask, server: Server, error: unknown): void {
    const standing = this.standing(ask);
    if (!this.#leave(standing, server)) return;
    const code = error instanceof ServiceError ? error.code : null;
    if (code === null) {
      // Whether the last commit took place, nobody can say: it may have left a reservation.
      if (String(error).includes('Connection terminated')) this.#lostCommits++;
      if (!isTrouble(error)) this.fail(`${ask.kind} ${ask.n} ended with ${(error as Error).stack}`);
      standing.unheard++;
    } else if (!REFUSALS.has(code)) this.fail(`${ask.kind} ${ask.n} was refused with ${code}`);
    else if (code !== 'batch_in_progress' && code !== 'rate_limited') {
      const others = [...this.standings.values()].filter(({ ask: other }) => other.account === ask.account);
      if (
        code === 'idempotency_key_reused' &&
        !others.some(({ ask: other }) => other.n !== ask.n && other.key === ask.key)
      )
        this.fail(`${ask.kind} ${ask.n} was refused as another one under its key, and there is none`);
      const most = others.reduce((sum, other) => sum + this.#mostOf(other, standing.begunAt), 0);
      if (code === 'credits_exhausted' && most + costOf(ask) <= LIMIT)
        this.fail(
          `${ask.kind} ${ask.n} was refused though at most ${most} credits are used: ${(error as Error).message}`,
        );
      // Another execution of it may be under way.
      if (standing.running.length === 0 || ask.key === null) standing.isRefused = standing.answers.length === 0;
    }
  }

  /** Credits that an ask may have used or reserved since a moment. */
  #mostOf({ ask, answers, running, unheard, isOld, leftAt }: Standing, since: number): number {
    if (ask.kind === 'request') return 0;
    const times = answers.length + running.length + unheard + (leftAt > since ? 1 : 0);
    return costOf(ask) * (ask.key === null || isOld ? times : Math.min(1, times));
  }

  /** Places are those that were asked about, by the account that asked. @returns credits that they cost. */
  #judgeResult(ask: Ask, { results }: BatchResult, what: string): number {
    const { id } = this.accounts[ask.account]!;
    let cost = 0;
    for (const [i, { lat }] of placesOf(ask).entries()) {
      const entry = results[i];
      if (!entry?.ok) continue;
      cost += ask.fields.length;
      for (const name of ask.fields)
        if (entry.fields[name]?.value !== noteOf(id, lat))
          this.fail(`${what} ${ask.kind} ${ask.n} has ${entry.fields[name]?.value} where ${noteOf(id, lat)} is right`);
    }
    if (results.length !== ask.places) this.fail(`${what} ${ask.kind} ${ask.n} has ${results.length} places`);
    return cost;
  }

  /** A request is about to be counted against the limit of a minute. @returns what judges whether it may go on. */
  counting(account: Account, minuteOf: () => number): (isOver: boolean) => void {
    const countsOf = (minute: number) => {
      const key = `${account.id} ${minute}`;
      const counts = this.#counted.get(key) ?? { asked: 0, admitted: 0 };
      this.#counted.set(key, counts);
      return counts;
    };
    const minute = minuteOf();
    countsOf(minute).asked++;
    const under = this.#under.get(account.id) ?? [];
    this.#under.set(account.id, under);
    under.push(minute);
    return isOver => {
      under.splice(under.indexOf(minute), 1);
      if (this.clockWasWrong) return;
      const [now, counts] = [minuteOf(), countsOf(minute)];
      if (now !== minute) {
        // One that was held up counts in the minute in which it goes on; after a while it begins that anew, as after a wrong clock.
        countsOf(now).asked++;
        countsOf(now).admitted = Number.NEGATIVE_INFINITY;
        return;
      }
      if (!isOver) counts.admitted++;
      if (counts.admitted > this.aMinute && under.every(other => other === minute))
        this.fail(`an account had ${counts.admitted} requests in a minute`);
      if (isOver && counts.asked + under.length <= this.aMinute)
        this.fail(`request ${counts.asked} of a minute was refused`);
    };
  }

  /** The work of a run, which is done once. */
  runBegins(job: string): void {
    if (this.#begun.has(job) && !this.operatorActed) this.fail('a run was begun twice');
    this.#begun.add(job);
  }

  /** What is right at any moment, whatever went wrong before. @param db of the store, read at once. */
  audit(db: DatabaseSync): void {
    const none = (what: string, sql: string) => {
      const row = db.prepare(sql).get();
      if (row) this.fail(`${what}: ${JSON.stringify(row)}`);
    };
    none(
      'sums of a month that are not those of its charges',
      `select u.*, coalesce(sum(c.spent) filter (where c.state = 'settled'), 0) as settled,
         coalesce(sum(c.reserved) filter (where c.state = 'open'), 0) as open
       from credit_usage u left join charges c on c.account_id = u.account_id and c.period = u.period
       group by u.account_id, u.period having u.spent <> settled or u.held <> open`,
    );
    none('more than the limit', `select * from credit_usage where spent + held > ${LIMIT} or spent < 0 or held < 0`);
    none(
      'days that are not their month',
      `select u.*, coalesce((select sum(d.credits) from usage_days d where d.account_id = u.account_id and d.period = u.period), 0) as days
       from credit_usage u where u.spent <> days`,
    );
    none('a budget of less than nothing', 'select * from grant_spending where credits < 0');
    none(
      'kept answers that are not counted',
      `select k.*, (select coalesce(sum(answer_bytes), 0) from idempotency i where i.account_id = k.account_id) as sum
       from kept_answers k where k.bytes <> sum`,
    );
  }

  /** What is right before reservations expire: only what nobody heard of again may have left one. */
  auditOpen(db: DatabaseSync): void {
    const { open } = db.prepare(`select count(*) as open from charges where state = 'open'`).get()!;
    const unheard = [...this.standings.values()].reduce(
      (sum, each) => sum + (each.ask.key === null || each.isOld ? each.unheard : 0),
      0,
    );
    if (Number(open) > unheard + this.#lostCommits)
      this.fail(`${open} reservations are left of ${unheard} requests that nobody heard of again`);
  }

  /** What is right when all has come to its end. */
  finale(db: DatabaseSync, calls: readonly Call[]): void {
    this.audit(db);
    const done = new Map(this.accounts.map(({ id }) => [id, 0]));
    const runs = new Map<number, number>();
    const askOf = (text: string) =>
      [...this.standings.values()].find(({ ask }) => text.includes(`"lat":${placesOf(ask)[0]!.lat},`))!.ask;
    for (const row of db.prepare('select * from runs').all()) {
      const ask = askOf(gunzipSync(row.request as Uint8Array).toString());
      runs.set(ask.n, (runs.get(ask.n) ?? 0) + 1);
      const account = String(row.account_id);
      if (account !== this.accounts[ask.account]!.id) this.fail(`run ${ask.n} belongs to another account`);
      if (row.status === 'queued' || row.status === 'running') this.fail(`run ${ask.n} never ends`);
      if (row.status !== 'done') continue;
      const result = JSON.parse(gunzipSync(row.result as Uint8Array).toString()) as BatchResult;
      done.set(account, done.get(account)! + this.#judgeResult(ask, result, 'the result of'));
    }
    for (const row of db.prepare('select * from exports').all()) {
      const [, n] = /"value":(\d+)\./.exec(gunzipSync(row.request as Uint8Array).toString())!;
      const { ask } = this.standings.get(Number(n) - 100)!;
      runs.set(ask.n, (runs.get(ask.n) ?? 0) + 1);
      const account = String(row.account_id);
      if (account !== this.accounts[ask.account]!.id) this.fail(`export ${ask.n} belongs to another account`);
      if (row.status === 'queued' || row.status === 'running') this.fail(`export ${ask.n} never ends`);
      if (row.status !== 'done') continue;
      done.set(account, done.get(account)! + costOf(ask));
      const pieces = db
        .prepare(`select bytes from stored_pieces where owner_id = ? and name = 'table.csv' order by number`)
        .all(row.id!);
      const lines = Buffer.concat(pieces.map(({ bytes }) => bytes as Uint8Array))
        .toString()
        .trimEnd()
        .split('\n');
      const parts = lines.map(line => gunzipSync(Buffer.from(line, 'base64')).toString());
      const isRight =
        parts.length === ask.places &&
        parts.every((part, i) => part.includes(`"${account} ${100 + ask.n}.${ask.places} ${i + 1}"`));
      if (!isRight) this.fail(`export ${ask.n} of ${ask.places} rows has ${parts.length}: ${parts.join()}`);
    }
    const requests = db.prepare('select id, account_id, status, callback from field_requests').all();
    for (const { id, account_id, status, callback } of requests) {
      const { webhook_url: url } = JSON.parse(String(callback)) as { webhook_url: string };
      const ask = this.standings.get(Number(url.split('/').at(-1)))!.ask;
      if (account_id !== this.accounts[ask.account]!.id) this.fail(`request ${ask.n} belongs to another account`);
      const mine = calls.filter(call => call.requestId === id);
      if (mine.some(call => call.url !== url)) this.fail(`request ${ask.n} was told to somebody else`);
      const isGivenUp =
        this.operatorActed &&
        db.prepare(`select 1 from field_request_deliveries where request_id = ? and status = 'failed'`).get(id!);
      if (status === 'blocked' && !isGivenUp && !mine.some(({ taken }) => taken))
        this.fail(`request ${ask.n} was never called back`);
      if (status !== 'blocked' && mine.length > 0) this.fail(`request ${ask.n} was called back before it ended`);
    }
    for (const standing of this.standings.values()) {
      const { ask, answers, isRefused, isOld } = standing;
      if (standing.isOpen) this.fail(`${ask.kind} ${ask.n} never gets an answer`);
      const count = runs.get(ask.n) ?? 0;
      if ((ask.kind === 'run' || ask.kind === 'export') && !isOld && ask.key !== null && count !== answers.length)
        this.fail(`${ask.kind} ${ask.n} was filed ${count} times${isRefused ? ' and refused' : ''}`);
    }
    for (let i = 0; i < ACCOUNTS; i++) {
      const { id } = this.accounts[i]!;
      let [least, most] = [done.get(id)!, done.get(id)!];
      for (const { ask, answers, unheard, isOld } of this.standings.values()) {
        if (ask.kind !== 'batch' || ask.account !== i) continue;
        const cost = answers.reduce(
          (sum, answer) => sum + this.#judgeResult(ask, JSON.parse(answer), 'the answer to'),
          0,
        );
        least += cost;
        most += cost + (ask.key === null || isOld ? unheard * costOf(ask) : 0);
      }
      const { spent } = db
        .prepare('select coalesce(sum(spent), 0) as spent from credit_usage where account_id = ?')
        .get(id)!;
      if (Number(spent) < least || Number(spent) > most)
        this.fail(`account ${i} was charged ${spent} credits; right are ${least}${most > least ? ` to ${most}` : ''}`);
    }
  }
}
