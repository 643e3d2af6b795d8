import { type Option, type Terminal, UsageError } from '../../query/engine/command.ts';
import type { Machines } from '../tasks/machines.ts';

/** The options of a coordinator and its workers. */
export const MACHINES_OPTIONS: readonly Option[] = [
  {
    flags: '--queue <url>',
    description: 'PostgreSQL database (postgres://…) from which workers take tasks: plat ingest worker. With --store.',
  },
  {
    flags: '--store <address>',
    description:
      'Where workers get files and put results: s3://bucket/prefix, file:///folder, or a folder that all mount.',
  },
];

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** Opens what both options name. @returns null where neither is given. @throws UsageError where one is missing. */
export async function machinesOf({ queue, store }: Given, { err }: Terminal): Promise<Machines | null> {
  if (queue === undefined && store === undefined) return null;
  if (typeof queue !== 'string' || typeof store !== 'string')
    throw new UsageError('--queue and --store go together: expected both postgres://… and an address of a store');
  const [{ TaskBoard }, { openStore }] = await Promise.all([
    import('../tasks/task-board.ts'),
    import('../../query/release/store/open-store.ts'),
  ]);
  const place = await openStore(store);
  return { board: await TaskBoard.open(queue, problem => err(`--queue: ${problem}`)), store: place };
}
