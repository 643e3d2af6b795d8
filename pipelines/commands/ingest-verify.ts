import type { Command } from '../../query/engine/command.ts';
import { releaseVerifyCommand } from './release/verify.ts';

/** `plat ingest verify`: re-reads the files of the release that waits for publication. */
export const ingestVerifyCommand: Command = {
  name: 'ingest verify',
  example: 'plat ingest verify',
  summary: 'Re-hash and re-count the release that waits for plat ingest publish, or else the current one.',
  options: [],
  async run(_args, options, terminal) {
    const [{ candidateId }, { Store }, { readSettings }] = await Promise.all([
      import('../../query/release/home/candidate.ts'),
      import('../../query/release/home/store.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const id = candidateId(new Store(readSettings(process.env).home).releases);
    return releaseVerifyCommand.run(id === null ? [] : [id], options, terminal);
  },
};
