// The thread that pulls, which dies at the first file of a release: once, as the file `died` of the home says.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { FolderStore } from '../../query/release/store/folder-store.ts';
import type { PullSetup } from '../../server/replica/pull-thread.ts';

const died = join((workerData as PullSetup).home, 'died');
if (!existsSync(died)) {
  const { open } = FolderStore.prototype;
  FolderStore.prototype.open = function (...args) {
    writeFileSync(died, '');
    // Nobody can catch it.
    setImmediate(() => {
      throw new Error('as nobody foresaw');
    });
    return open.apply(this, args);
  };
}
await import('../../server/replica/pull-thread.ts');
