import type { Clock } from '../../server/clock.ts';
import type { JobClaim, JobQueue } from '../../server/state/jobs/queue.ts';
import type { Model } from './model.ts';

/** Judges what queues of jobs answer, which are one queue. */
export class QueueJudge {
  readonly #model: Pick<Model, 'fail' | 'clockWasWrong'>;
  /** The last claim of each job that somebody heard of. */
  readonly #claims = new Map<string, { token: string; attempt: number; until: number }>();
  /** Tokens of claims whose jobs were given back to the queue. */
  readonly #handedBack = new Set<string>();

  constructor(model: Pick<Model, 'fail' | 'clockWasWrong'>) {
    this.#model = model;
  }

  /** A queue whose answers are judged: one claim at a time has a job, and nobody else changes it. */
  judged(name: string, queue: JobQueue, clock: Clock): JobQueue {
    const keep = ({ id, token, attempt }: JobClaim, now: number) => {
      // One that is told of its claim late has lost it by then.
      if (attempt >= (this.#claims.get(id)?.attempt ?? 0))
        this.#claims.set(id, { token, attempt, until: now + queue.leaseMs });
    };
    const isMine = ({ id, token }: JobClaim) => this.#claims.get(id)?.token === token;
    const judge = (claim: JobClaim, isHeld: boolean, what: string) => {
      if (isHeld && !isMine(claim)) this.#model.fail(`${name} ${what} a job that another one has`);
      return isHeld;
    };
    return {
      ...queue,
      claim: async (kind, except) => {
        const now = clock.now();
        const claim = await queue.claim(kind, except);
        if (!claim) return null;
        const before = this.#claims.get(claim.id);
        const isHeld = before && before.attempt < claim.attempt && before.until > clock.now();
        if (isHeld && !this.#handedBack.has(before.token) && !this.#model.clockWasWrong)
          this.#model.fail(`${name} claimed a job whose worker lives`);
        keep(claim, now);
        return claim;
      },
      heartbeat: async claim => {
        const now = clock.now();
        const isHeld = judge(claim, await queue.heartbeat(claim), 'kept alive');
        if (isHeld) keep(claim, now);
        return isHeld;
      },
      progress: async (claim, done, total) => judge(claim, await queue.progress(claim, done, total), 'moved'),
      finish: async (claim, effect) => {
        const ended = judge(claim, await queue.finish(claim, effect), 'finished');
        if (ended) this.#claims.delete(claim.id);
        return ended;
      },
      fail: async (claim, ...rest) => {
        const outcome = await queue.fail(claim, ...rest).catch((error: unknown) => {
          // It may have taken place: then the job waits again, and anybody may have it. If not, the same worker tries once more.
          const own = this.#claims.get(claim.id);
          if (own?.token === claim.token) this.#claims.set(claim.id, { ...own, until: 0 });
          throw error;
        });
        judge(claim, outcome !== 'lost', 'failed');
        if (outcome !== 'lost') this.#claims.delete(claim.id);
        return outcome;
      },
      handBack: async claim => {
        // Whether anybody heard of it or not: from now on another one may have it, and until then it is still held.
        this.#handedBack.add(claim.token);
        return queue.handBack(claim);
      },
      cancel: async (id, ended) => {
        const isCancelled = await queue.cancel(id, ended);
        this.#claims.delete(id);
        return isCancelled;
      },
    };
  }
}
