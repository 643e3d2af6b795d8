import type { Command } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { isSameEntry, NAMED_OPTIONS, namedEntries } from './named.ts';
import { entryName, readWithheld, writeWithheld } from './withheld-file.ts';

/** `plat withhold add`. */
export const withholdAddCommand: Command = {
  name: 'withhold add',
  example: 'plat withhold add --name "JANE Q DOE" --state NJ --note "request 17"',
  summary:
    'Withhold the owner and the mailing address of a parcel, or of everybody with a name, in every answer from now on',
  options: [...NAMED_OPTIONS, { flags: '--note <text>', description: 'Why, for people who read the list.' }],
  async run(_args, options, terminal) {
    const { home } = readSettings(process.env);
    const before = readWithheld(home);
    const entries = namedEntries('withhold add', options, new Date());
    const fresh = entries.filter(entry => !before.some(one => isSameEntry(one, entry)));
    if (fresh.length > 0) writeWithheld(home, [...before, ...fresh]);
    if (terminal.json) terminal.out(JSON.stringify({ added: fresh.length, entries: before.length + fresh.length }));
    else
      for (const entry of entries)
        terminal.out(`${entryName(entry)}: ${fresh.includes(entry) ? 'withheld' : 'was withheld before'}`);
    return 0;
  },
};
