// Runs before every test file: files share a process, so at its end the environment is as it was, whatever the file set or stubbed.
import { afterAll, vi } from 'vitest';

const before = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
