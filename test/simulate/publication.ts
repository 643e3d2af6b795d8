import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Manifest } from '../../datasets/release.ts';
import { pushRelease } from '../../pipelines/release/push/push-release.ts';
import { LockedError, takeLock } from '../../query/release/home/lock.ts';
import { publish } from '../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { filesOf, Store } from '../../query/release/home/store.ts';
import { Puller } from '../../query/release/pull/puller.ts';
import type { ObjectStore } from '../../query/release/store/object-store.ts';
import { onRename } from './disk.ts';
import type { Model } from './model.ts';
import { asParty, end, mixed, type Party, partyHere, partyNamed, type Scheduler } from './scheduler.ts';

/** Files of a release; the first half of them are those of the release before. */
const FILES = 4;
const POLL_MS = 5_000;

/** The bytes of a file of a release. */
const contentOf = (release: number, file: number): Buffer => {
  const version = file < FILES / 2 ? release - (release % 2) : release;
  return Buffer.from(`file ${file} of release ${version}\n`.repeat(40 + (mixed(version, file) % 400)));
};
const idOf = (release: number): string => `20260101-${String(release).padStart(8, '0')}`;

/** A bucket: what arrives there stays, and messages from and to it get lost, break off, or come twice. */
class Bucket implements ObjectStore {
  readonly name = 's3://bucket';
  readonly partBytes = 1 << 20;
  readonly #objects = new Map<string, Buffer>();
  readonly #by: Scheduler;
  readonly #isCalm: () => boolean;
  constructor(by: Scheduler, isCalm: () => boolean) {
    this.#by = by;
    this.#isCalm = isCalm;
  }
  async #call<T>(work: () => T): Promise<T> {
    const by = this.#by;
    const fate = this.#isCalm() ? 9 : by.draw(16, 41);
    await by.wait(partyHere(), 1 + by.draw(40, 42));
    if (fate === 0) throw new Error('connect ECONNREFUSED');
    let result = work();
    if (fate === 1) result = work();
    await by.turn(partyHere());
    if (fate === 2) throw new Error('read ECONNRESET');
    return result;
  }
  size = (key: string) => this.#call(() => this.#objects.get(key)?.length ?? null);
  read = (key: string) => this.#call(() => this.#objects.get(key) ?? null);
  list = (prefix: string, after = '') =>
    this.#call(() => [...this.#objects.keys()].filter(key => key.startsWith(prefix) && key > after).sort());
  open = (key: string, from: number) =>
    this.#call(() => {
      const whole = this.#objects.get(key)?.subarray(from);
      if (!whole) return null;
      const breaks = !this.#isCalm() && this.#by.draw(4, 43) === 0;
      const half = whole.subarray(0, whole.length >> 1);
      return Readable.from(breaks ? [half] : [half, whole.subarray(whole.length >> 1)]);
    });
  create = (key: string, bytes: Buffer) =>
    this.#call(() => {
      if (this.#objects.has(key)) return 'lost' as const;
      this.#objects.set(key, Buffer.from(bytes));
      return 'made' as const;
    });
  async put(key: string, path: string): Promise<void> {
    const bytes = readFileSync(path);
    await this.#call(() => void this.#objects.set(key, bytes));
  }
}

/** A home that makes releases and pushes them to a bucket, and others that follow it. */
export class Publication {
  readonly #by: Scheduler;
  readonly #model: Model;
  readonly #bucket: Bucket;
  readonly #homes: readonly string[];
  readonly #parties: Party[] = [];
  readonly #working = new Set<Party>();
  #made = 0;

  /** @param folder that is empty. */
  constructor(by: Scheduler, model: Model, folder: string, isCalm: () => boolean) {
    this.#by = by;
    this.#model = model;
    this.#bucket = new Bucket(by, isCalm);
    this.#homes = ['publisher', 'replica 0', 'replica 1'].map(name => join(folder, name));
    for (let i = 0; i < this.#homes.length; i++) this.start(i);
    onRename(path => {
      if (path.endsWith('/current')) this.audit();
    });
  }

  /** Whether one of them is about something. */
  get isWorking(): boolean {
    return [...this.#working].some(({ alive }) => alive);
  }

  /** Starts one of the three anew, as a process that was killed. */
  start(i: number): void {
    const before = this.#parties[i];
    if (before) end(before);
    const party = partyNamed(`home ${i}`);
    this.#parties[i] = party;
    void asParty(party, () => (i === 0 ? this.#publish(this.#homes[0]!) : this.#follow(this.#homes[i]!)));
  }

  /** From now on there is a further release to be published. */
  more(): void {
    this.#made++;
  }

  get parties(): readonly Party[] {
    return this.#parties;
  }

  async #rounds(work: () => Promise<void>): Promise<never> {
    for (;;) {
      this.#working.add(partyHere());
      // What fails is tried again in the next round.
      await work().catch((error: unknown) => {
        if (!/ENOSPC|ECONN|broke off|disk|lacks|being changed|does not fit/.test(String(error)))
          this.#model.fail(`${partyHere().name}: ${(error as Error).stack}`);
      });
      this.#working.delete(partyHere());
      await this.#by.wait(partyHere(), POLL_MS);
    }
  }

  #publish(home: string): Promise<never> {
    const store = new Store(home);
    return this.#rounds(async () => {
      const last = Number(currentId(store.releases)?.slice(9) ?? 0);
      if (last < this.#made) {
        const lock = takeLock(store.releases, 'a release');
        try {
          await this.#make(store, last + 1);
        } finally {
          lock.release();
        }
      }
      const id = currentId(store.releases);
      if (id !== null) await pushRelease(this.#bucket, store.releases, readManifest(store.releases, id), () => true);
    });
  }

  async #make(store: Store, release: number): Promise<void> {
    const folder = await store.stage();
    const files = [];
    for (let i = 0; i < FILES; i++) {
      const path = join(folder, `file-${i}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, contentOf(release, i));
      files.push(await store.adopt({ role: 'rows', path, rows: 1 }));
    }
    const manifest = {
      format: 1,
      id: idOf(release),
      createdAt: '2026-01-01T00:00:00.000Z',
      asOf: '2026-01-01',
      previous: release === 1 ? null : idOf(release - 1),
      datasets: {
        notes: {
          main: { version: String(release), columns: {}, partitions: [{ key: '', version: String(release), files }] },
        },
      },
      ingests: [],
    } as unknown as Manifest;
    await publish(store.releases, manifest);
  }

  #follow(home: string): Promise<never> {
    const puller = new Puller(this.#bucket, home, { rate: 0, keep: 1 });
    const { signal } = new AbortController();
    return this.#rounds(async () => {
      await puller.poll(signal).catch((error: unknown) => {
        if (!(error instanceof LockedError)) throw error;
      });
    });
  }

  /** Every home has its current release whole, whatever went wrong before. */
  audit(): void {
    for (const [i, home] of this.#homes.entries()) {
      const releases = join(home, 'releases');
      if (!existsSync(releases)) continue;
      const id = currentId(releases);
      if (id === null) continue;
      const release = Number(id.slice(9));
      const files = filesOf(readManifest(releases, id));
      for (const [nth, { path, sha256 }] of files.entries()) {
        const bytes = existsSync(join(releases, path)) ? readFileSync(join(releases, path)) : null;
        const isWhole =
          bytes?.equals(contentOf(release, nth)) && createHash('sha256').update(bytes).digest('hex') === sha256;
        if (!isWhole)
          this.#model.fail(
            `${this.#parties[i]!.name} has half a release: ${path} of ${id} is ${bytes ? 'damaged' : 'missing'}`,
          );
      }
    }
  }

  /** Whether all homes have what was published last. */
  get isOver(): boolean {
    return this.#homes.every(home => {
      const releases = join(home, 'releases');
      return this.#made === 0 || (existsSync(releases) && currentId(releases) === idOf(this.#made));
    });
  }
}
