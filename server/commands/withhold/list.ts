import type { Command } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { entryName, readWithheld } from './withheld-file.ts';

/** `plat withhold list`. */
export const withholdListCommand: Command = {
  name: 'withhold list',
  example: 'plat withhold list --json',
  summary: 'List the parcels and names whose owners are withheld, in the order in which they were added',
  options: [],
  async run(_args, _options, terminal) {
    const entries = readWithheld(readSettings(process.env).home);
    if (terminal.json) terminal.out(JSON.stringify(entries));
    else
      for (const entry of entries)
        terminal.out([entryName(entry), entry.added_at, entry.note].filter(text => text !== undefined).join('  '));
    return 0;
  },
};
