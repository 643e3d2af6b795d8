import { readFileSync, statSync } from 'node:fs';

/** Milliseconds for which a look at a list holds. */
const LOOK_MS = 200;

/** Mark of a file's content, another one after each change; empty where there is no file. @throws as statSync. */
export function fileMark(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : '';
}

/** Kind of a list: its place in a home, and its meaning. */
interface ListKind<T> {
  path(home: string): string;
  /** Reads a list. @param mark that of its content. @throws Error when it cannot be used. */
  read(text: string, mark: string): T;
  /** Meaning of a list that is not there. */
  readonly absent: T;
  /** Meaning of a list that cannot be read. */
  unreadable(mark: string): T;
}

/** A list beside the releases of installations, which commands change while servers read it. */
export class HomeList<T> {
  readonly #kind: ListKind<T>;
  readonly #homes = new Map<string, { lookedAt: number; readonly mark: string; readonly list: T }>();

  constructor(kind: ListKind<T>) {
    this.#kind = kind;
  }

  /** The list of a home as it is now. */
  of(home: string): T {
    const last = this.#homes.get(home);
    const lookedAt = performance.now();
    if (last && lookedAt - last.lookedAt < LOOK_MS) return last.list;
    const path = this.#kind.path(home);
    let mark = '';
    let list = this.#kind.absent;
    try {
      mark = fileMark(path);
      if (last?.mark === mark) {
        last.lookedAt = lookedAt;
        return last.list;
      }
      if (mark !== '') list = this.#kind.read(readFileSync(path, 'utf8'), mark);
    } catch {
      mark ||= 'unreadable';
      list = this.#kind.unreadable(mark);
    }
    this.#homes.set(home, { lookedAt, mark, list });
    return list;
  }
}
