import { type Command, UsageError } from '../../query/engine/command.ts';

const seconds = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 1000);

/** `plat ingest status`: prints the progress of the running ingest, or how the last one ended. */
export const ingestStatusCommand: Command = {
  name: 'ingest status',
  example: 'plat ingest status --follow',
  summary: 'Show the progress of the running ingest, or how the last one ended; from any terminal.',
  options: [
    { flags: '--follow', description: 'Go on until the ingest has ended.' },
    { flags: '--every <s>', description: 'Seconds between two lines with --follow.', fallback: '2' },
  ],
  async run(_args, { follow, every = '2' }, terminal) {
    const pause = Number(every);
    if (!(pause > 0)) throw new UsageError(`--every ${every}: expected seconds above 0`);
    const [{ isAlive, lastRun }, { readSettings }, { setTimeout: sleep }] = await Promise.all([
      import('../refresh/journal.ts'),
      import('../../query/engine/settings.ts'),
      import('node:timers/promises'),
    ]);
    const { home } = readSettings(process.env);
    let told = '';
    for (;;) {
      const last = lastRun(home);
      if (last === null) {
        if (terminal.json) terminal.out('null');
        else terminal.err(`No ingest ran in ${home} yet`);
        return 0;
      }
      const { steps, state, outcome, counted = [], pid, startedAt, updatedAt } = last;
      const isKilled = state === 'running' && !isAlive(last);
      if (terminal.json && !follow) {
        terminal.out(JSON.stringify({ ...last, state: isKilled ? 'killed' : state }));
        return isKilled || state === 'failed' ? 1 : 0;
      }
      const ended = steps.filter(step => step.ended).length;
      const open = steps.filter(step => !step.ended);
      const now = open.map(
        ({ name, done, of, note }) => `${name}: ${note ?? `${done}${of === null ? '' : ` of ${of}`}`}`,
      );
      const head = `${isKilled ? 'killed' : state}, process ${pid}, ${seconds(startedAt, updatedAt)} s, ${ended} of ${steps.length} steps`;
      const text = [head, ...now, ...counted, ...(outcome === null ? [] : [outcome])].join('\n');
      if (text !== told) terminal.out(text);
      told = text;
      if (isKilled) terminal.err('It ended without a word: plat ingest resume goes on where it was');
      if (!follow || state !== 'running' || isKilled) return isKilled || state === 'failed' ? 1 : 0;
      await sleep(pause * 1000);
    }
  },
};
