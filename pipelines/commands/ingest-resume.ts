import type { Command } from '../../query/engine/command.ts';
import { ingestRunCommand } from './ingest-run.ts';
import { MACHINES_OPTIONS } from './machines-option.ts';
import { refreshCommand } from './refresh.ts';

/** `plat ingest resume`: begins the last ingest again if it failed or was killed. */
export const ingestResumeCommand: Command = {
  name: 'ingest resume',
  example: 'plat ingest resume',
  summary: 'Go on with the last ingest if it was killed or failed; finished downloads and builds are not repeated.',
  options: [
    ...MACHINES_OPTIONS,
    {
      flags: '--accept <key...>',
      description: 'Publish although this expectation is not met, as plat ingest run does.',
    },
  ],
  async run(_args, options, terminal) {
    const [{ isAlive, lastRun }, { readSettings }] = await Promise.all([
      import('../refresh/journal.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const last = lastRun(readSettings(process.env).home);
    if (last === null || last.state === 'done') {
      const what = last === null ? 'no ingest ran yet' : `the last ingest ended well (${last.outcome})`;
      if (terminal.json) terminal.out(JSON.stringify({ resumed: false, why: what }));
      else terminal.err(`Nothing to resume: ${what}`);
      return 0;
    }
    if (last.state === 'running' && isAlive(last)) {
      terminal.err(`It is still running, process ${last.pid}; plat ingest status --follow tells how far it is`);
      return 1;
    }
    const { command, datasets, options: given } = last.begun;
    if (command === 'refresh') return refreshCommand.run([], { ...given, ...options }, terminal);
    // The address of the queue was not kept, and the store is of no use without it.
    const { store: _, ...kept } = given;
    return ingestRunCommand.run(datasets, { ...kept, ...options }, terminal);
  },
};
