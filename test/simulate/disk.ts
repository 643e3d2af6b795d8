import * as files from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { schedulerHere } from './platform.ts';
import { partyHere, type Scheduler } from './scheduler.ts';

const require = createRequire(import.meta.url);
type Work = (...args: never[]) => unknown;

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** Whether a write fails now for a disk that is full. */
const isRefused = (by: Scheduler): boolean => by.diskIsFull && by.draw(3, 31) === 0;

/** Does something with files at once, and says so in one of the next steps: a process that is killed before has done it all the same. */
async function done<T>(by: Scheduler, work: () => T): Promise<T> {
  let result: { value: T } | { error: unknown };
  try {
    result = { value: work() };
  } catch (error) {
    result = { error };
  }
  await by.turn(partyHere());
  if ('error' in result) throw result.error;
  return result.value;
}

/** Writes a part of the bytes only, now and then, as the kernel may; none when the disk is full, or some before that is noticed. */
function writeSome(
  by: Scheduler,
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
): number {
  if (isRefused(by)) {
    if (by.draw(2, 32) === 0) files.writeSync(fd, buffer, offset, length >> 1, position);
    throw full();
  }
  const some = length > 1 && by.draw(4, 33) === 0 ? length >> 1 : length;
  return files.writeSync(fd, buffer, offset, some, position);
}

/** A file that is open. Those of a killed process are closed. */
class OpenFile {
  readonly fd: number;
  readonly #by: Scheduler;
  readonly #end = { close: () => files.closeSync(this.fd) };
  constructor(by: Scheduler, path: string, flags: string, mode?: number) {
    this.#by = by;
    this.fd = files.openSync(path, flags, mode);
    partyHere().released.add(this.#end);
  }
  sync = () => done(this.#by, () => files.fsyncSync(this.fd));
  stat = () => done(this.#by, () => files.fstatSync(this.fd));
  read = (buffer: Uint8Array, offset: number, length: number, position: number) =>
    done(this.#by, () => ({ bytesRead: files.readSync(this.fd, buffer, offset, length, position) }));
  close = () =>
    done(this.#by, () => {
      partyHere().released.delete(this.#end);
      files.closeSync(this.fd);
    });
  writeFile = (text: string) =>
    done(this.#by, () => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSome(this.#by, this.fd, bytes, at, bytes.length - at, null);
    });
}

function replace(owner: Record<string, Work>, name: string, make: (by: Scheduler, ...args: never[]) => unknown): void {
  const before = owner[name]!;
  owner[name] = (...args: never[]) => {
    const by = schedulerHere();
    return by ? make(by, ...args) : before(...args);
  };
}

let renamed: (path: string) => void = () => {};

/** Tells of every file that takes the place of another one, at that moment. */
export const onRename = (listener: (path: string) => void): void => {
  renamed = listener;
};

/** Puts files whose reads and writes end in one of the next steps in the place of those of the kernel's threads. */
export function simulateFiles(): void {
  const promises = require('node:fs/promises');
  const writing = new Set(['mkdir', 'copyFile', 'writeFile', 'link', 'rename']);
  for (const name of ['mkdir', 'copyFile', 'writeFile', 'link', 'rename', 'rm', 'readdir', 'readFile', 'stat'])
    replace(promises, name, (by, ...args) =>
      done(by, () => {
        if (writing.has(name) && isRefused(by)) throw full();
        const result = (files as unknown as Record<string, Work>)[`${name}Sync`]!(...args);
        if (name === 'rename') renamed(String(args[1]));
        return result;
      }),
    );
  replace(promises, 'open', (by, path: string, flags = 'r', mode?: number) =>
    done(by, () => new OpenFile(by, path, flags, mode)),
  );
  replace(promises, 'statfs', by => done(by, () => ({ bavail: by.diskIsFull ? 0 : 1 << 30, bsize: 4096 })));

  // What streams use.
  const streams = require('node:fs');
  type Callback = (error: unknown, value?: unknown, of?: unknown) => void;
  const answer = (by: Scheduler, callback: Callback, work: () => unknown, of?: unknown) =>
    void done(by, work).then(value => callback(null, value, of), callback);
  const heldOf = new Map<number, { close(): void }>();
  replace(streams, 'open', (by, path: string, flags: string, mode: number, callback: () => void) =>
    answer(by, callback, () => {
      const fd = files.openSync(path, flags, mode);
      const held = { close: () => files.closeSync(fd) };
      heldOf.set(fd, held);
      partyHere().released.add(held);
      return fd;
    }),
  );
  replace(streams, 'close', (by, fd: number, callback: () => void) =>
    answer(by, callback, () => {
      partyHere().released.delete(heldOf.get(fd)!);
      files.closeSync(fd);
    }),
  );
  replace(
    streams,
    'read',
    (
      by,
      fd: number,
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number | null,
      callback: () => void,
    ) => answer(by, callback, () => files.readSync(fd, buffer, offset, length, position), buffer),
  );
  replace(
    streams,
    'write',
    (
      by,
      fd: number,
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number | null,
      callback: () => void,
    ) => answer(by, callback, () => writeSome(by, fd, buffer, offset, length, position), buffer),
  );
  replace(
    streams,
    'writev',
    (by, fd: number, chunks: readonly Uint8Array[], position: number | null, callback: () => void) =>
      answer(
        by,
        callback,
        () => {
          const whole = Buffer.concat(chunks);
          return writeSome(by, fd, whole, 0, whole.length, position);
        },
        chunks,
      ),
  );
  syncBuiltinESMExports();
}
