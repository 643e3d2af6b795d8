import type { Command } from '../../query/engine/command.ts';

/** `plat place schema`: prints the JSON Schema by which editors complete and check place files. */
export const placeSchemaCommand: Command = {
  name: 'place schema',
  example: 'plat place schema > place.schema.json',
  summary: 'Print the JSON Schema of place files for editors: keys, datasets, layers and columns with their meaning.',
  options: [],
  async run(_args, _options, terminal) {
    const { placeJsonSchema } = await import('../place/json-schema.ts');
    terminal.out(JSON.stringify(placeJsonSchema(), null, terminal.json ? undefined : 2));
    return 0;
  },
};
