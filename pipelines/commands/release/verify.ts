import type { Command } from '../../../query/engine/command.ts';
import { chosenRelease } from '../chosen-release.ts';

/** `plat release verify [release]`: re-reads every file; exit code 3 when one is damaged. */
export const releaseVerifyCommand: Command = {
  name: 'release verify',
  example: 'plat release verify',
  summary: 'Re-hash and re-count every file of a release (by default the current one).',
  args: ['[release]'],
  options: [],
  async run([id], _options, terminal) {
    const { releases, manifest } = await chosenRelease(id);
    const [{ verify }, { progressOn }] = await Promise.all([
      import('../../release/verify.ts'),
      import('../../progress.ts'),
    ]);
    const progress = progressOn(terminal);
    const task = progress.start('files', null);
    const result = await verify(releases, manifest, (_path, index) => task.advance(index + 1));
    task.done(`${result.files} checked`);
    progress.close();
    if (terminal.json) terminal.out(JSON.stringify(result));
    else if (result.damage.length === 0)
      terminal.out(`${result.release} is sound: ${result.files} files, ${(result.bytes / 1048576).toFixed(1)} MiB`);
    else for (const { path, problem } of result.damage) terminal.out(`${path}: ${problem}`);
    return result.damage.length === 0 ? 0 : 3;
  },
};
