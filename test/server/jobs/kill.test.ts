import { expect, it } from 'vitest';
import { describeStores } from '../state/state-stores.ts';
import { killRun, killWorkers } from './kills.ts';

describeStores('kill -9 of servers', kind => {
  it('that work on jobs: each ends once in its effects', async () => {
    // While it is claimed, while it works, and in the transaction that ends it; test-long has all moments of both stores.
    await killWorkers(kind, [kind.name === 'SQLite' ? [2, 6, 10] : [10]]);
  });

  it('that had begun a run: it is interrupted, and submitted again it is charged once', async () => {
    expect(await killRun(kind, 'claimed')).toBe('failed');
  });
});
