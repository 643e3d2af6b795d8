import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serverLog } from '../../server/server-log.ts';

it('is added to a file whose folder need not be there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-log-'));
  const logFile = join(folder, 'logs', 'serve.log');
  for (const message of ['first', 'second']) {
    const log = serverLog({ log: 'warn', logFile });
    log.info('not worth a line');
    log.warn(message);
    log.flush();
  }
  const written = () => readFileSync(logFile, 'utf8').split('\n').filter(Boolean);
  await expect.poll(() => written().length).toBe(2);
  expect(
    written()
      .map(line => JSON.parse(line).msg)
      .sort(),
  ).toEqual(['first', 'second']);
  // A server that could not log would not begin.
  expect(() => serverLog({ log: 'warn', logFile: join(logFile, 'serve.log') })).toThrow(logFile);
  rmSync(folder, { recursive: true });
});
