// A replica's pull as a process of its own, to be killed. Arguments: store, home, and the end of a name: the process kills itself
// before it renames a file to such a one. Without it the first poll that goes through ends the process.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [address, home, before = ''] = process.argv.slice(2) as [string, string, string?];

const { rename } = fs;
fs.rename = async (from, to) => {
  if (before !== '' && String(to).endsWith(before)) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
};
syncBuiltinESMExports();

const [{ openStore }, { Puller }] = await Promise.all([
  import('../../../../query/release/store/open-store.ts'),
  import('../../../../query/release/pull/puller.ts'),
]);
const puller = new Puller(await openStore(address), home, { rate: 0, keep: 0 });
await puller.poll(new AbortController().signal);
