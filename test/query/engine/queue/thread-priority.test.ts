// Niceness as Linux has it for each thread. It is lowered in a process of its own, since nobody but root can take that back.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('../../../../query/engine/queue/thread-priority.ts', import.meta.url));

/** Prints the niceness of the main thread and of each V8 helper. Field 19 of `stat` (proc_pid_stat(5)) is the niceness. */
const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { lowerV8Helpers } from ${JSON.stringify(MODULE)};
  const niceness = id => Number(readFileSync(\`/proc/self/task/\${id}/stat\`, 'utf8').replace(/^.*\\) /s, '').split(' ')[16]);
  const helpers = readdirSync('/proc/self/task').filter(
    id => readFileSync(\`/proc/self/task/\${id}/comm\`, 'utf8').trim() === 'V8Worker');
  lowerV8Helpers();
  console.log(JSON.stringify({ serving: niceness(process.pid), helpers: helpers.map(niceness) }));
`;

const hasNames = process.platform === 'linux' && Number(process.versions.node.split('.')[0]) >= 24;

test.skipIf(!hasNames)('helpers of V8 yield to the serving thread', () => {
  const { serving, helpers } = JSON.parse(
    execFileSync(
      process.execPath,
      ['--no-warnings', '--experimental-strip-types', '--input-type=module', '-e', SCRIPT],
      {
        encoding: 'utf8',
      },
    ),
  ) as { serving: number; helpers: number[] };
  expect(helpers.length).toBeGreaterThan(0);
  for (const niceness of helpers) expect(niceness).toBe(Math.min(19, serving + 5));
});
