import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

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
