import type { JobClaim } from '../state/jobs/queue.ts';

/** What each account has of the jobs of a kind that one process does at once: never all, where there is more than one. */
export class AccountShare {
  readonly #most: number;
  /** Jobs under way, by account. */
  readonly #running = new Map<string | null, number>();
  readonly #listeners: (() => void)[] = [];
  /** The claim before: two at once would not see each other's account. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param atOnce jobs of the kind that the process does at once. */
  constructor(atOnce: number) {
    this.#most = Math.max(1, atOnce - 1);
  }

  /** Calls a listener whenever an account may have one more job again. */
  onFree(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Claims a job of an account that may have one more. Call `leave` at its end. @param claim is told the other accounts. */
  claim(claim: (except: (string | null)[]) => Promise<JobClaim | null>): Promise<JobClaim | null> {
    const next = this.#last.then(async () => {
      const busy = [...this.#running].filter(([, running]) => running >= this.#most).map(([account]) => account);
      const job = await claim(busy);
      if (job) this.#running.set(job.account, (this.#running.get(job.account) ?? 0) + 1);
      return job;
    });
    this.#last = next.catch(() => {});
    return next;
  }

  leave(account: string | null): void {
    const left = this.#running.get(account)! - 1;
    if (left > 0) this.#running.set(account, left);
    else this.#running.delete(account);
    if (left === this.#most - 1) for (const listener of this.#listeners) listener();
  }
}
