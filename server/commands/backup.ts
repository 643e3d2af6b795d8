import type { Command } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';

/** `plat backup DIR`. */
export const backupCommand: Command = {
  name: 'backup',
  example: 'plat backup ./saved',
  summary: 'Save state, secrets and the current release to a folder while servers go on',
  args: ['<folder>'],
  options: [],
  async run([folder], _options, terminal) {
    const { makeBackup } = await import('../backup/backup.ts');
    const { home, stateUrl: url } = readSettings(process.env);
    const contents = await makeBackup({ home, url }, folder!);
    if (terminal.json) terminal.out(JSON.stringify(contents));
    else {
      const rows = Object.values(contents.state).reduce((sum, count) => sum + count, 0);
      const release =
        contents.release === null ? 'no release' : `release ${contents.release} (${contents.files} files)`;
      terminal.out(`${folder}: ${rows} rows of state, ${release}, ${(contents.bytes / 1_048_576).toFixed(1)} MiB`);
      terminal.err('It holds personal data and secrets: keep it as you keep those.');
    }
    return 0;
  },
};
