import type { Command } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';

/** Resolves with the first SIGTERM or SIGINT, and keeps the process until then: nothing else that waits for jobs does. */
const termination = () =>
  new Promise<void>(resolve => {
    const kept = setInterval(() => {}, 60_000);
    const end = () => {
      clearInterval(kept);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  });

/** `plat work`: a server without HTTP. */
export const workCommand: Command = {
  name: 'work',
  example: 'plat work',
  summary: 'Work on jobs without answering HTTP, until it is told to stop',
  options: [],
  async run(_args, _options, terminal) {
    const stop = termination();
    const { workUntil } = await import('../../worker-process.ts');
    const started = (release: string | null) =>
      terminal.err(`Working on jobs, release ${release ?? 'none (run plat ingest run)'}`);
    await workUntil(readSettings(process.env), started, stop);
    return 0;
  },
};
