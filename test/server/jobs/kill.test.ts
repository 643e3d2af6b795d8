import { it } from 'vitest';
import { describeStores } from '../state/state-stores.ts';
import { killWorkers } from './kills.ts';

describeStores('kill -9 of servers', kind => {
  it('that work on jobs: each ends once in its effects', async () => {
    // While it is claimed, while it works, and in the transaction that ends it.
    await killWorkers(kind, [[2, 6, 10]]);
  });
});
