import type { Command } from '../../../query/engine/command.ts';
import { interruption } from '../interruption.ts';

const percent = (right: number, checked: number) =>
  checked === 0 ? 'none' : `${((100 * right) / checked).toFixed(2)} %`;

/** `plat ingest score`: finds out how right the calculations of the current release are, and publishes that with it. */
export const ingestScoreCommand: Command = {
  name: 'ingest score',
  example: 'plat ingest score',
  summary:
    'Compute the values of a sample of parcels a second time, by other code, and publish a release with a scorecard of each county.',
  options: [
    {
      flags: '--accept <key...>',
      description: 'Publish the scorecard although this county or field became worse: 23019, or 23019/fema_flood_zone.',
    },
  ],
  async run(_args, { accept }, terminal) {
    const [{ runScore }, { progressOn }, { readSettings }] = await Promise.all([
      import('../../scorecard/run.ts'),
      import('../../progress.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const stop = interruption('interrupted; nothing was published', true);
    try {
      const { home } = readSettings(process.env);
      const { release, changed, scores } = await runScore({
        home,
        progress: progressOn(terminal),
        signal: stop.signal,
        accept: typeof accept === 'string' ? accept.split(',') : [],
      });
      if (terminal.json) terminal.out(JSON.stringify({ release, changed, scores }));
      else {
        for (const { county_fips: county, rows, calibration } of scores) {
          const fields = rows.filter(({ checked }) => checked > 0).length;
          const said = calibration.map(({ confidence, right, checked }) => `${confidence} ${percent(right, checked)}`);
          terminal.err(`${county}  ${fields} of ${rows.length} fields checked; right: ${said.join(', ')}`);
        }
        terminal.out(changed ? `published ${release}` : `every county has its scorecard; ${release} stays`);
      }
      return 0;
    } finally {
      stop.end();
    }
  },
};
