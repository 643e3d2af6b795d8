import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { currentId } from '../../../../query/release/home/releases.ts';
import type { ObjectStore } from '../../../../query/release/store/object-store.ts';
import type { S3Double } from '../store/s3-double.ts';
import { expectPulled, partials } from './pulled-home.ts';

const PROGRAM = fileURLToPath(new URL('./pull-process.ts', import.meta.url));

/** A pull as a process of its own. @param before where it kills itself. */
function startPull(address: string, home: string, before = ''): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', PROGRAM, address, home, before],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let err = '';
  child.stderr!.on('data', chunk => (err += chunk));
  const ended = new Promise<string>(resolve => child.once('close', (code, by) => resolve(`${by ?? code} ${err}`)));
  return { child, ended };
}

/** What a home has after a pull was killed: nothing, or the release whole. */
const expectSound = (home: string, id: string): void => {
  if (currentId(join(home, 'releases')) !== null) expectPulled(home, id);
};

/** Kills a pull (signal 9) before each rename to such a name; then one goes through. */
export async function killBeforeRenames(
  store: ObjectStore,
  home: string,
  id: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    expect(await startPull(store.name, home, name).ended, name).toBe('SIGKILL ');
    expectSound(home, id);
  }
  expect(await startPull(store.name, home).ended).toBe('0 ');
  expectPulled(home, id);
  expect(partials(home)).toEqual([]);
}

/** Kills a pull (signal 9) when it asks for something, or in the middle of its answers; then one goes through. */
export async function killAtRequests(
  double: S3Double,
  store: ObjectStore,
  home: string,
  id: string,
  moments: readonly { readonly request: RegExp; readonly nth: number }[],
): Promise<void> {
  for (const { request, nth } of moments) {
    const { child, ended } = startPull(store.name, home);
    let count = 0;
    double.before = what => {
      if (!request.test(what)) return;
      double.faults.GET.push('slow');
      // Some bytes of its answer have come then.
      if (++count === nth) setTimeout(() => child.kill('SIGKILL'), 60);
    };
    expect(await ended, `${request} ${nth}`).toBe('SIGKILL ');
    double.before = () => {};
    double.faults.GET.length = 0;
    expectSound(home, id);
  }
  expect(await startPull(store.name, home).ended).toBe('0 ');
  expectPulled(home, id);
  expect(partials(home)).toEqual([]);
}
