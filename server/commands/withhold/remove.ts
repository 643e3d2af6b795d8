import type { Command } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { isSameEntry, NAMED_OPTIONS, namedEntries } from './named.ts';
import { readWithheld, writeWithheld } from './withheld-file.ts';

/** `plat withhold remove`. */
export const withholdRemoveCommand: Command = {
  name: 'withhold remove',
  example: 'plat withhold remove --parcel pcl_aaaaaaaaaaaaaaaaaaaaaa',
  summary: 'Answer the owner of a parcel, or of everybody with a name, again',
  options: NAMED_OPTIONS,
  async run(_args, options, terminal) {
    const { home } = readSettings(process.env);
    const before = readWithheld(home);
    const entries = namedEntries('withhold remove', options, new Date());
    const left = before.filter(one => !entries.some(entry => isSameEntry(one, entry)));
    const removed = before.length - left.length;
    if (removed > 0) writeWithheld(home, left);
    if (terminal.json) terminal.out(JSON.stringify({ removed, entries: left.length }));
    else terminal.out(removed > 0 ? `${removed} no longer withheld` : 'not on the list; `plat withhold list` shows it');
    return removed > 0 ? 0 : 1;
  },
};
