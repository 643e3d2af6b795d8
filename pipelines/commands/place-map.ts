import { writeFileSync } from 'node:fs';
import type { Command } from '../../query/engine/command.ts';
import { interruption } from './interruption.ts';
import { chosenPlace, PLACE_OPTIONS } from './place-option.ts';

/** `plat place map`: draws the layers of a place and their rejected rows as one picture or page. */
export const placeMapCommand: Command = {
  name: 'place map',
  example: 'plat place map --sources ../county --place-file county.yaml --out map.html',
  summary: 'Draw the layers of a place and their rejected rows as one HTML page or PNG.',
  options: [
    ...PLACE_OPTIONS,
    {
      flags: '--out <file>',
      description: 'File to write; the ending .html or .png chooses the format.',
      fallback: 'map.html',
    },
    {
      flags: '--rows <n>',
      description: 'Number of rows of each layer to draw, spread over its file (0: all).',
      fallback: '0',
    },
  ],
  async run(_args, options, terminal) {
    const { UsageError } = await import('../../query/engine/command.ts');
    const out = typeof options.out === 'string' ? options.out : 'map.html';
    const png = /\.png$/i.test(out);
    if (!png && !/\.html?$/i.test(out))
      throw new UsageError(`--out ${out}: expected a name that ends in .html or .png`);
    const rows = Number(options.rows ?? 0);
    if (!Number.isInteger(rows) || rows < 0)
      throw new UsageError(`--rows ${options.rows}: expected a whole number from 0`);
    const { place, sources } = await chosenPlace(options);
    const [{ collectMap }, { sceneOf }] = await Promise.all([
      import('../place/map/collect.ts'),
      import('../place/map/scene.ts'),
    ]);
    const stop = interruption('interrupted');
    try {
      const content = await collectMap({
        place,
        sources,
        rows: rows === 0 ? null : rows,
        signal: stop.signal,
        progress: line => terminal.interactive && terminal.err(line),
      });
      const scene = sceneOf(content);
      if (png) writeFileSync(out, (await import('../place/map/png.ts')).mapPng(scene));
      else writeFileSync(out, (await import('../place/map/html.ts')).mapHtml(scene));
      const layers = scene.layers.map(({ name, file, count }) => ({ layer: name, file, features: count }));
      const { length } = scene.rejects;
      if (terminal.json) terminal.out(JSON.stringify({ out, layers, rejects: length, failed: scene.failed }));
      else {
        for (const { layer, error } of scene.failed) terminal.err(`failed: ${layer}: ${error}`);
        terminal.out(`wrote ${out}: ${layers.length} layers, ${length} rejected rows`);
      }
      return scene.failed.length > 0 ? 1 : 0;
    } finally {
      stop.end();
    }
  },
};
