/** Something that waits for a worker, and whose it is. */
interface Waiting {
  /** Account, or another one who is served in turn. */
  readonly owner: string;
}

/**
 * What waits, served owner after owner in turn, and of each owner in the order it came: an owner with a thousand
 * waiting delays another by no more than one for each of its own. It has the form of piscina's task queues.
 */
export class FairQueue<T extends Waiting> {
  /** In the order of their turns: who was served goes to the end. */
  readonly #owners = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(task: T): void {
    const own = this.#owners.get(task.owner);
    if (own) own.push(task);
    else this.#owners.set(task.owner, [task]);
    this.#size++;
  }

  /** Puts a task before all others, out of turn. */
  unshift(task: T): void {
    const own = this.#owners.get(task.owner) ?? [];
    own.unshift(task);
    const rest = [...this.#owners].filter(([owner]) => owner !== task.owner);
    this.#owners.clear();
    for (const [owner, tasks] of [[task.owner, own] as const, ...rest]) this.#owners.set(owner, tasks);
    this.#size++;
  }

  /** Takes the task whose turn it is; null when nothing waits. */
  shift(): T | null {
    return this.shiftWanted(() => true);
  }

  /** Takes the first task of the first owner whose first task is wanted, or null. */
  shiftWanted(wanted: (task: T) => boolean): T | null {
    for (const [owner, own] of this.#owners) {
      const [first] = own;
      if (wanted(first!)) {
        own.shift();
        this.#owners.delete(owner);
        if (own.length > 0) this.#owners.set(owner, own);
        this.#size--;
        return first!;
      }
    }
    return null;
  }

  /** @returns whether it waited. */
  remove(task: T): boolean {
    const index = this.#owners.get(task.owner)?.indexOf(task) ?? -1;
    if (index < 0) return false;
    const own = this.#owners.get(task.owner)!;
    own.splice(index, 1);
    if (own.length === 0) this.#owners.delete(task.owner);
    this.#size--;
    return true;
  }

  /** How many tasks of an owner wait. */
  of(owner: string): number {
    return this.#owners.get(owner)?.length ?? 0;
  }

  /** The task that came last of the owner who has most waiting, of those whose first task is wanted; null when there is none. */
  mostCrowded(wanted: (task: T) => boolean = () => true): T | null {
    let most: T[] = [];
    for (const own of this.#owners.values()) if (own.length > most.length && wanted(own[0]!)) most = own;
    return most.at(-1) ?? null;
  }

  /** The task that is to give way to another one of this owner: the last of who has more waiting than he would; or null. */
  crowding(owner: string): T | null {
    const last = this.mostCrowded();
    return last && this.of(last.owner) > this.of(owner) + 1 ? last : null;
  }
}
