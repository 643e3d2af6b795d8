import type { Command } from '../../query/engine/command.ts';
import { chosenPlace, PLACE_OPTIONS } from './place-option.ts';

const size = (bytes: number | null) => (bytes === null ? 'missing' : `${(bytes / 1024).toFixed(0)} KiB`);

/** `plat ingest plan`: what an ingest would read and write. */
export const ingestPlanCommand: Command = {
  name: 'ingest plan',
  summary: 'Show what an ingest would read and write, and which files or columns are missing.',
  options: PLACE_OPTIONS,
  async run(_args, options, terminal) {
    const { place, sources } = await chosenPlace(options);
    const { plan } = await import('../place/plan.ts');
    const planned = await plan(place, sources);
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
      for (const { file, layer, message } of planned.problems)
        terminal.err(`${layer}: ${message.startsWith(file) ? '' : `${file}: `}${message}`);
      for (const file of planned.missing) terminal.err(`missing: ${file}`);
    }
    return planned.missing.length + planned.problems.length === 0 ? 0 : 1;
  },
};
