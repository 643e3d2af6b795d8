import type { Command } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';

/** `plat restore DIR`. */
export const restoreCommand: Command = {
  name: 'restore',
  example: 'plat restore ./saved',
  summary: 'Put a backup into an empty PLAT_HOME and state store; either database takes one of the other',
  args: ['<folder>'],
  options: [],
  async run([folder], _options, terminal) {
    const { restoreBackup } = await import('../backup/backup.ts');
    const { home, stateUrl: url } = readSettings(process.env);
    const contents = await restoreBackup({ home, url }, folder!);
    if (terminal.json) terminal.out(JSON.stringify(contents));
    else
      terminal.out(
        `Restored what was saved ${contents.created_at}: ${contents.release === null ? 'no release' : `release ${contents.release}`}, ${contents.state.accounts ?? 0} accounts`,
      );
    return 0;
  },
};
