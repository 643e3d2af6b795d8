import { type Command, UsageError } from '../../query/engine/command.ts';
import type { ListedReject } from '../steps/rejected/list.ts';
import { chosenRelease } from './chosen-release.ts';

const squareMetres = (area: number) => `${area.toFixed(2)} m²`;

function lineOf({ place, layer, file, row, id, action, reason, readings }: ListedReject): string {
  const named = id === null ? '' : ` (${id})`;
  const areas = readings
    ? `; ${squareMetres(readings.evenOdd)} by even-odd, ${squareMetres(readings.nonZero)} by non-zero, ${squareMetres(readings.wound)} as wound`
    : '';
  return `${place}  ${layer}  ${file} row ${row}${named}: ${action}: ${reason}${areas}`;
}

/** @throws UsageError when a name is not among those of the release. */
function requireOneOf(flag: string, name: string | undefined, names: ReadonlySet<string>): void {
  if (name === undefined || names.has(name)) return;
  const all = [...names].sort().join(', ') || 'none';
  throw new UsageError(`${flag} ${name}: the release has none such; it has ${all}`);
}

/** `plat ingest rejects`: lists the rows that the current release leaves out, with reasons. */
export const ingestRejectsCommand: Command = {
  name: 'ingest rejects',
  example: 'plat ingest rejects --place bangor-me --addresses',
  summary: 'List the rows that the current release leaves out, with the reasons.',
  options: [
    { flags: '--layer <dataset:layer>', description: 'Only rows of this layer, for example parcel_store:main.' },
    { flags: '--place <name>', description: 'Only rows of this place; national files belong to the place "national".' },
    { flags: '--repaired', description: 'Also list rows that were kept after a certain repair.' },
    { flags: '--addresses', description: 'Also list rows that were kept, but whose address cannot be read.' },
  ],
  async run(_args, options, terminal) {
    const [{ contentsOf, listRejects }, { releases, manifest }] = await Promise.all([
      import('../steps/rejected/list.ts'),
      chosenRelease(undefined),
    ]);
    const named = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);
    const [layer, place] = [named(options.layer), named(options.place)];
    const { layers, places } = contentsOf(manifest);
    requireOneOf('--layer', layer, layers);
    requireOneOf('--place', place, places);
    const listed: ListedReject[] = [];
    const counts = { rejected: 0, repaired: 0, unaddressed: 0 };
    const [repaired, addresses] = [options.repaired === true, options.addresses === true];
    for await (const reject of listRejects(releases, manifest, { layer, place, repaired, addresses })) {
      if (terminal.json) listed.push(reject);
      else terminal.out(lineOf(reject));
      counts[reject.action]++;
    }
    if (terminal.json) terminal.out(JSON.stringify(listed));
    else {
      const parts = [`${counts.rejected} rejected`];
      if (repaired) parts.push(`${counts.repaired} repaired`);
      if (addresses) parts.push(`${counts.unaddressed} unaddressed`);
      terminal.err(parts.join(', '));
    }
    return 0;
  },
};
