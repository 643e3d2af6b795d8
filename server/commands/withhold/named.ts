import { readFileSync } from 'node:fs';
import { type Option, UsageError } from '../../../query/engine/command.ts';
import { entryProblem, type WithheldEntry } from '../../../query/release/withheld/withheld-list.ts';

/** How a call names what is withheld. */
export const NAMED_OPTIONS: readonly Option[] = [
  { flags: '--parcel <id>', description: 'A parcel by its `parcel_id`, as enrichment and lookup answer it.' },
  { flags: '--name <name>', description: 'Everybody with all words of this name, in any order; two words at least.' },
  { flags: '--state <state>', description: 'Two letters: the name counts in this state alone.' },
  { flags: '--file <path>', description: 'A file with a `parcel_id` or a name a line, instead of one of both.' },
];

/**
 * The entries that a call names.
 * @param now what they are said to be added at. @throws UsageError.
 */
export function namedEntries(
  command: string,
  { parcel, name, state, file, note }: Readonly<Record<string, string | boolean | undefined>>,
  now: Date,
): WithheldEntry[] {
  if ([parcel, name, file].filter(given => given !== undefined).length !== 1)
    throw new UsageError(`${command}: expected one of --parcel, --name and --file`);
  let lines: string[];
  try {
    lines = file === undefined ? [String(parcel ?? name)] : readFileSync(String(file), 'utf8').split(/\r?\n/);
  } catch (error) {
    throw new UsageError(`${command}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const common = { ...(note === undefined ? {} : { note: String(note) }), added_at: now.toISOString() };
  const entries = lines
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const isParcel = parcel !== undefined || (name === undefined && line.startsWith('pcl_'));
      const of = state === undefined || isParcel ? {} : { state: String(state).toUpperCase() };
      return isParcel ? { parcel_id: line, ...common } : { name: line, ...of, ...common };
    });
  for (const [i, entry] of entries.entries()) {
    const problem = entryProblem(entry);
    if (problem) throw new UsageError(`${command}: ${file === undefined ? 'the entry' : `line ${i + 1}`}: ${problem}`);
  }
  return entries;
}

/** Whether two entries withhold the same. */
export const isSameEntry = (a: WithheldEntry, b: WithheldEntry): boolean =>
  a.parcel_id === b.parcel_id && a.name === b.name && a.state === b.state;
