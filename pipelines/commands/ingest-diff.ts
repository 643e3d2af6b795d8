import { type Command, UsageError } from '../../query/engine/command.ts';
import type { FieldChange } from '../diff/diff.ts';
import { chosenRelease } from './chosen-release.ts';

/** `plat ingest diff A B`: what differs between two releases. */
export const ingestDiffCommand: Command = {
  name: 'ingest diff',
  summary: 'Tell what differs between two releases: rows added, removed and changed of each layer, values of parcels.',
  args: ['<a>', '[b]'],
  options: [
    { flags: '--state <code>', description: 'Only partitions of this state, and national ones.' },
    {
      flags: '--fields <name...>',
      description: 'Attributes and calculations of parcels whose old and new value is told, parcel by parcel.',
    },
  ],
  async run([a, b], { state, fields }, terminal) {
    if (typeof state === 'string' && !/^[A-Z]{2}$/.test(state))
      throw new UsageError(`--state ${state}: expected a two-letter state code`);
    const [{ diffReleases }, { catalog }, { PARCEL_ATTRIBUTES }] = await Promise.all([
      import('../diff/diff.ts'),
      import('../../datasets/catalog.ts'),
      import('../../datasets/parcel/parcel-attributes.ts'),
    ]);
    const wanted = typeof fields === 'string' ? fields.split(',') : [];
    for (const field of wanted)
      if (!catalog.fields.has(field) && !Object.hasOwn(PARCEL_ATTRIBUTES, field))
        throw new UsageError(`--fields ${field}: no attribute of parcels and no field of the catalog`);
    const [before, after] = [await chosenRelease(a), await chosenRelease(b)];
    const changes: FieldChange[] = [];
    const layers = await diffReleases(before.manifest, after.manifest, {
      releases: after.releases,
      state: typeof state === 'string' ? state : undefined,
      fields: wanted,
      change: change => {
        if (terminal.json) changes.push(change);
        else
          terminal.out(
            `${change.parcel}  ${change.field}: ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`,
          );
      },
    });
    const [from, to] = [before.manifest.id, after.manifest.id];
    if (terminal.json) terminal.out(JSON.stringify({ from, to, layers, changes }));
    else {
      for (const { dataset, layer, added, removed, changed } of layers)
        terminal.out(`${dataset}:${layer}  ${added} added, ${removed} removed, ${changed} changed`);
      if (layers.length === 0) terminal.err(`${from} and ${to} hold the same rows`);
    }
    return 0;
  },
};
