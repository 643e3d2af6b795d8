import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stopAt } from './stopping.ts';

const LONG_CALL = fileURLToPath(new URL('long-call.ts', import.meta.url));

it('SIGTERM ends a command in the middle of a call that never ends, of its own thread or another', async () => {
  const ends = ['alone', 'beside'].map(async how => {
    const child = spawn(process.execPath, ['--import', 'tsx', LONG_CALL, how], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const end = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    return end;
  });
  expect(await Promise.all(ends)).toEqual([
    [null, 'SIGTERM'],
    [null, 'SIGTERM'],
  ]);
});

it('SIGTERM in the middle of a layer leaves the last release serving and the next run clean', () =>
  stopAt(['layer'], 2));
