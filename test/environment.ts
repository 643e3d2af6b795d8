// Runs before every test file: files share a process, so at its end the environment is as it was, whatever the file set or stubbed.
import { join } from 'node:path';
import { afterAll, inject, vi } from 'vitest';

// Programs of the tests are TypeScript, and started anew again and again: half of that is reading them. The process of the tests starts
// without: at its end it would write all that it has read, for longer than vitest waits where a disk is slow.
process.env.NODE_COMPILE_CACHE ??= join(inject('sharedFolder'), 'compiled');
const before = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
