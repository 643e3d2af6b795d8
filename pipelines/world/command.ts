import { resolve } from 'node:path';
import { type Command, UsageError } from '../../query/engine/command.ts';

function whole(flag: string, value: string | boolean | undefined, low: number, high: number): number {
  const number = Number(value);
  if (typeof value !== 'string' || value.trim() === '' || !Number.isInteger(number) || number < low || number > high)
    throw new UsageError(`${flag} ${String(value)}: expected a whole number from ${low} to ${high}`);
  return number;
}

/** `plat world generate`: writes the synthetic area as published files. */
export const command: Command = {
  name: 'world generate',
  example: 'plat world generate --parcels 5000 --out ./world',
  summary: 'Write the synthetic area as published files, ready for `ingest run --place synthetic`.',
  options: [
    {
      flags: '--parcels <count>',
      description: 'Rows of both parcel rolls together, 200 to 5,000,000.',
      fallback: '3000',
    },
    { flags: '--seed <number>', description: 'Another seed gives another area.', fallback: '1' },
    { flags: '--out <folder>', description: 'Where to write the files.', fallback: '.plat/world' },
  ],
  async run(_args, options, terminal) {
    const [{ default: cliProgress }, { generateWorld }, { PARCEL_LIMITS }] = await Promise.all([
      import('cli-progress'),
      import('./generate.ts'),
      import('./world.ts'),
    ]);
    const parcels = whole('--parcels', options.parcels ?? '3000', ...PARCEL_LIMITS);
    const seed = whole('--seed', options.seed ?? '1', 0, 0xffffffff);
    if (options.out === true || options.out === '') throw new UsageError('--out: expected a folder');
    const out = resolve(String(options.out ?? '.plat/world'));
    const bar = terminal.interactive
      ? new cliProgress.SingleBar({
          format: '{bar} {value}/{total} {file}',
          stream: process.stderr,
          clearOnComplete: true,
        })
      : null;
    const summary = await generateWorld({
      parcels,
      seed,
      out,
      onProgress(file, done, total) {
        if (done === 0) bar?.start(total, 0, { file });
        else bar?.update(done, { file });
      },
    });
    bar?.stop();
    if (terminal.json) terminal.out(JSON.stringify(summary));
    else {
      const bytes = summary.files.reduce((sum, file) => sum + file.bytes, 0);
      terminal.out(`${summary.files.length} files, ${(bytes / 1e6).toFixed(1)} MB in ${out}`);
    }
    return 0;
  },
};
