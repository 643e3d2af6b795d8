import type { Command, Terminal } from '../../query/engine/command.ts';
import type { Effort } from '../refresh/effort.ts';
import { type Chosen, chosenPlaces, PLACE_OPTIONS, requireDatasets, STATE_OPTION } from './place-option.ts';

const size = (bytes: number | null) => (bytes === null ? 'missing' : `${(bytes / 1024).toFixed(0)} KiB`);

const minutes = (seconds: number) => (seconds < 60 ? 'less than a minute' : `about ${Math.round(seconds / 60)} min`);

/** Bytes, disk and time of what an effort takes, for people. */
const taken = ({
  bytes,
  disk,
  seconds,
  isSilent = false,
}: Partial<Effort> & Pick<Effort, 'bytes' | 'disk' | 'seconds'>): string =>
  bytes === null
    ? isSilent
      ? 'size not known (publisher did not answer)'
      : 'its publisher says neither bytes nor rows'
    : bytes === 0
      ? 'held'
      : `${size(bytes)} to download, about ${size(disk)} of disk, ${minutes(seconds!)}`;

/** Prints by dataset what is to come and how long it takes, and what is not published for the place. */
function printEfforts(
  efforts: readonly Effort[],
  unavailable: Readonly<Record<string, string>>,
  terminal: Terminal,
): void {
  if (efforts.length > 0) terminal.out('To come, as far as publishers say how much (times are estimates):');
  for (const effort of efforts) {
    const isGone = effort.bytes === 0 && effort.missing.length > 0;
    terminal.out(`  needs ${effort.dataset}: ${isGone ? 'nothing that comes' : taken(effort)}`);
    for (const why of effort.missing) terminal.out(`    not to be had: ${why}`);
  }
  const sum = (key: 'bytes' | 'disk' | 'seconds') => efforts.reduce((all, effort) => all + (effort[key] ?? 0), 0);
  const all = { bytes: sum('bytes'), disk: sum('disk'), seconds: sum('seconds') };
  if (efforts.length > 1) terminal.out(`  together: ${taken(all)}`);
  const names = Object.keys(unavailable);
  if (names.length > 0) terminal.out('Not in this place:');
  for (const name of names) terminal.out(`  ${name}: ${unavailable[name]}`);
}

/** Prints what an ingest of one place would do. @returns the exit code. */
async function planOne(
  { place: whole, sources, downloads }: Chosen,
  datasets: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { chosenLayers, EVERYTHING } = await import('../steps/chosen.ts');
  const place = chosenLayers(whole, { ...EVERYTHING, datasets: datasets.length > 0 ? datasets : null });
  const [{ acquisitionsOf, outlookOf }, { effortsOf }, { clientOf }, { readSettings }] = await Promise.all([
    import('../refresh/outlook.ts'),
    import('../refresh/effort.ts'),
    import('../refresh/ingest-place.ts'),
    import('../../query/engine/settings.ts'),
  ]);
  const settings = readSettings(process.env);
  const client = clientOf(settings, undefined, 0);
  const published = await outlookOf(place, sources, settings.home, downloads ? client : null).finally(() =>
    client.close(),
  );
  const { plan } = await import('../place/plan.ts');
  const acquisitions = acquisitionsOf(place, published.files);
  const planned = {
    ...{ ...(await plan(place, sources)), published: published.files, acquisitions },
    recompute: published.recompute,
    efforts: effortsOf(place, published.files),
    unavailable: datasets.length > 0 ? {} : (place.unavailable ?? {}),
  };
  const missing = planned.missing.filter(file => !published.files.some(p => p.file === file));
  if (terminal.json) terminal.out(JSON.stringify(planned));
  else {
    terminal.out(`${planned.title} (${planned.place}): ${planned.layers.length} layers, ${size(planned.bytes)}`);
    for (const layer of planned.layers) {
      const rows = layer.expectRows === null ? 'rows not stated' : `${layer.expectRows} rows`;
      terminal.out(
        `  ${layer.dataset}:${layer.layer}  ${layer.file} (${size(layer.bytes)}, ${rows}) → ${layer.writes.join(', ')} by ${layer.partition}; ${layer.source} ${layer.vintage}`,
      );
    }
    terminal.out(`${planned.sources.length} files:`);
    for (const { file, bytes, layers } of planned.sources)
      terminal.out(`  ${file} (${size(bytes)}) for ${layers.join(', ')}`);
    for (const { file, url, vintage, held, isNew, bytes, rows, fault } of published.files) {
      if (fault !== null) continue;
      const much = bytes === null ? (rows === null ? '' : `, ${rows} rows`) : `, ${size(bytes)}`;
      terminal.out(
        `  ${isNew ? 'new' : 'unchanged'}  ${file}: ${vintage}${held === null ? '' : ` (held: ${held})`}${much}; ${url}`,
      );
    }
    for (const { dataset, how, from, bytes, rows, why } of acquisitions) {
      const much = [bytes === null ? null : size(bytes), rows === null ? null : `${rows} rows`]
        .filter(Boolean)
        .join(', ');
      const where = from.length === 0 ? '' : ` from ${[...new Set(from)].join(', ')}`;
      terminal.out(
        `  ${dataset}: ${how.join(' and ')}${where}${much === '' ? '' : ` (${much})`}${why === null ? '' : `; ${why}`}`,
      );
    }
    printEfforts(planned.efforts, planned.unavailable, terminal);
    const { layers, maps, fields, parcels, disk, seconds } = published.recompute;
    const time = seconds === null ? 'time not known' : `about ${Math.max(1, Math.round(seconds))} s`;
    if (layers.length > 0)
      terminal.out(
        `${layers.length} layers to build, ${layers.reduce((sum, l) => sum + l.partitions, 0)} partitions of the release; ${maps.length} map layers to draw; ${fields.length} calculated columns of ${parcels} parcels, ${time}; ${size(disk.download)} to download, ${size(disk.rewritten)} to write again, ${disk.free === null ? 'room unknown' : `${size(disk.free)} free`}`,
      );
    for (const { file, fault } of published.files) if (fault !== null) terminal.err(`${file}: ${fault}`);
    for (const { file, layer, message } of planned.problems)
      terminal.err(`${layer}: ${message.startsWith(file) ? '' : `${file}: `}${message}`);
    for (const file of missing) terminal.err(`missing: ${file}`);
  }
  const isComplete = published.files.every(({ fault }) => fault === null);
  return isComplete && missing.length + planned.problems.length === 0 ? 0 : 1;
}

/** `plat ingest plan`: prints what an ingest would read and write. */
export const ingestPlanCommand: Command = {
  name: 'ingest plan',
  example: 'plat ingest plan --sources ../county --place bangor-me',
  summary: 'Show what an ingest would download, read, write and compute, and which files or columns are missing.',
  args: ['[datasets...]'],
  options: [...PLACE_OPTIONS, STATE_OPTION],
  async run(datasets, options, terminal) {
    await requireDatasets(datasets);
    let code = 0;
    for (const chosen of await chosenPlaces(options)) code = Math.max(code, await planOne(chosen, datasets, terminal));
    return code;
  },
};
