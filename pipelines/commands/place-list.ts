import type { Command } from '../../query/engine/command.ts';

/** `plat place list`: shows how the refresh of each place and file stands. */
export const placeListCommand: Command = {
  name: 'place list',
  example: 'plat place list --failing',
  summary:
    'List the places of this home with the state of each of their files: when it was last requested, when something new last came, since when it fails and why.',
  options: [{ flags: '--failing', description: 'Only places of which something fails.' }],
  async run(_args, { failing }, terminal) {
    const [{ failureOf, placeStates }, { readSettings }] = await Promise.all([
      import('../../query/release/home/place-states.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const all = Object.entries(placeStates(readSettings(process.env).home)).sort(([a], [b]) => (a < b ? -1 : 1));
    const states = all.filter(([, state]) => failing !== true || failureOf(state) !== null);
    if (terminal.json) {
      terminal.out(JSON.stringify(Object.fromEntries(states)));
      return 0;
    }
    const shown = (at: string | null) => at?.slice(0, 16).replace('T', ' ') ?? 'never';
    const line = (name: string, { askedAt, newAt, failedSince, why }: (typeof states)[number][1]['files'][string]) =>
      `${name}  asked ${shown(askedAt)}, new ${shown(newAt)}${failedSince === null ? '' : `; fails since ${shown(failedSince)}: ${why}`}`;
    for (const [name, state] of states) {
      terminal.out(line(name, state));
      for (const [file, of] of Object.entries(state.files)) terminal.out(line(`  ${file}`, of));
    }
    if (all.length === 0) terminal.err('No place was ingested here yet; plat ingest run ingests one');
    return 0;
  },
};
