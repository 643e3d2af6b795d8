import { compareGroups, type Group, type GroupRule, isMinimal, type Land, largestWithin } from './land.ts';

/** The best groups so far, the one with the least excess first. */
class BestGroups {
  readonly list: Group[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a group would be among them. */
  admits(group: Group): boolean {
    return this.list.length < this.#limit || compareGroups(group, this.list.at(-1)!) < 0;
  }

  add(group: Group): void {
    const after = this.list.findIndex(other => compareGroups(group, other) < 0);
    this.list.splice(after < 0 ? this.list.length : after, 0, group);
    this.list.length = Math.min(this.list.length, this.#limit);
  }
}

/**
 * Looks for groups of pieces side by side that are large enough and have few owners. Every set of pieces that hangs together is
 * tried once, from its first piece on (S. Wernicke, A faster algorithm for detecting network motifs, 2005); none is tried further
 * once it is large enough, has too many owners or cannot become large enough with the pieces it may still get.
 */
export class GroupSearch {
  /** Pieces from which on not all sets were tried. */
  cut = 0;
  readonly #best: BestGroups;
  readonly #land: Land;
  readonly #rule: GroupRule;
  /** By steps the largest piece about each. */
  readonly #largest: readonly Float64Array[];
  /** By piece, the number of pieces of the set that are it or beside it. */
  readonly #near: Uint8Array;
  readonly #set: number[] = [];
  readonly #owners = new Map<number, number>();
  #size = 0;
  #parcels = 0;
  #steps = 0;
  #root = 0;
  #isFixed = false;

  constructor(land: Land, rule: GroupRule, limit: number) {
    this.#land = land;
    this.#rule = rule;
    this.#best = new BestGroups(limit);
    this.#largest = largestWithin(land, rule.parcels - 1);
    this.#near = new Uint8Array(land.sizes.length);
  }

  get groups(): readonly Group[] {
    return this.#best.list;
  }

  /**
   * Tries the sets whose first piece is this one, or all with it.
   * @param steps sets to try at most. @param isFixed whether sets may have earlier pieces too, and all must have this one.
   * @returns how many were tried.
   */
  from(piece: number, steps: number, isFixed = false): number {
    const { sizes, parcels } = this.#land;
    // What is large enough alone needs no others.
    if (sizes[piece]! >= this.#rule.size || parcels[piece]! > this.#rule.parcels) return 0;
    this.#root = piece;
    this.#isFixed = isFixed;
    this.#steps = steps;
    const beside = this.#joined(piece, []);
    if (!this.#take(piece)) return 0;
    this.#extend(beside, this.#reachOf(piece, null));
    this.#leave(piece);
    if (this.#steps < 0) this.cut++;
    return steps - Math.max(0, this.#steps);
  }

  /** Tries all sets that are the present one and some of the pieces beside it. */
  #extend(beside: readonly number[], reach: Float64Array): void {
    if (!this.#mayReach(reach)) return;
    for (let i = 0; i < beside.length; i++) {
      if (this.#steps-- <= 0) {
        this.#steps = -1;
        return;
      }
      const piece = beside[i]!;
      if (!this.#fits(piece)) continue;
      if (this.#size + this.#land.sizes[piece]! >= this.#rule.size) {
        this.#propose(piece);
        continue;
      }
      const next = this.#joined(piece, beside.slice(i + 1));
      if (!this.#take(piece)) continue;
      this.#extend(next, this.#reachOf(piece, reach));
      this.#leave(piece);
    }
  }

  /** The pieces that a set may get next: those of before, and those beside its new piece that were beside none of it. */
  #joined(piece: number, before: readonly number[]): number[] {
    const { starts, beside, sizes } = this.#land;
    const fresh: number[] = [];
    for (let i = starts[piece]!; i < starts[piece + 1]!; i++) {
      const other = beside[i]!;
      const isAllowed = this.#isFixed ? other !== this.#root : other > this.#root;
      const isNew = this.#near[other] === 0 && other !== piece;
      if (isAllowed && isNew && sizes[other]! > 0 && sizes[other]! < this.#rule.size) fresh.push(other);
    }
    // Large ones first: they make small groups, and these are found within few steps.
    return [...before, ...fresh].sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  }

  /** Whether a set may get a piece: not too many parcels, and no ground that it has already. */
  #fits(piece: number): boolean {
    if (this.#parcels + this.#land.parcels[piece]! > this.#rule.parcels) return false;
    const clashes = this.#land.clashes.get(piece);
    return !clashes || this.#set.every(other => !clashes.has(other));
  }

  /** Number of owners that a set would have with a piece. */
  #ownersWith(piece: number): number {
    const owners = this.#land.owners?.[piece] ?? [];
    return this.#owners.size + owners.filter(owner => !this.#owners.has(owner)).length;
  }

  #isOwned(piece: number): boolean {
    return this.#rule.owners === null || this.#ownersWith(piece) <= this.#rule.owners;
  }

  /** Adds a piece to the set. @returns false where it has too many owners then. */
  #take(piece: number): boolean {
    if (!this.#isOwned(piece)) return false;
    for (const owner of this.#land.owners?.[piece] ?? []) this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1);
    this.#set.push(piece);
    this.#size += this.#land.sizes[piece]!;
    this.#parcels += this.#land.parcels[piece]!;
    this.#mark(piece, 1);
    return true;
  }

  #leave(piece: number): void {
    for (const owner of this.#land.owners?.[piece] ?? []) {
      const left = this.#owners.get(owner)! - 1;
      if (left === 0) this.#owners.delete(owner);
      else this.#owners.set(owner, left);
    }
    this.#set.pop();
    this.#size -= this.#land.sizes[piece]!;
    this.#parcels -= this.#land.parcels[piece]!;
    this.#mark(piece, -1);
  }

  #mark(piece: number, by: number): void {
    const { starts, beside } = this.#land;
    this.#near[piece]! += by;
    for (let i = starts[piece]!; i < starts[piece + 1]!; i++) this.#near[beside[i]!]! += by;
  }

  /** By number of steps the largest piece about the set. */
  #reachOf(piece: number, before: Float64Array | null): Float64Array {
    return Float64Array.from(this.#largest, (level, step) => Math.max(level[piece]!, before?.[step] ?? 0));
  }

  /** Whether the set may become large enough with as many pieces as it may still get, each as large as any so far away. */
  #mayReach(reach: Float64Array): boolean {
    let size = this.#size;
    for (let more = 1; more <= this.#rule.parcels - this.#parcels; more++) size += reach[more]!;
    return size >= this.#rule.size;
  }

  /** Keeps the set with one more piece, where it is among the best and needs all of them. */
  #propose(piece: number): void {
    if (!this.#isOwned(piece)) return;
    const pieces = [...this.#set, piece].sort((a, b) => a - b);
    const group = { pieces, size: this.#size + this.#land.sizes[piece]! };
    if (this.#best.admits(group) && isMinimal(this.#land, group, this.#rule.size, this.#isFixed ? this.#root : null))
      this.#best.add(group);
  }
}
