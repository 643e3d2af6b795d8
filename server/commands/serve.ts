import { catalog } from '../../datasets/catalog.ts';
import type { Command } from '../../query/command.ts';
import { readSettings } from '../../query/settings.ts';
import { startServer } from '../service.ts';
import { findExample, localToken, welcomeLines } from './welcome.ts';

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once. */
function termination(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve(signal);
      });
  });
}

/** `plat serve`. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'Answer the HTTP API from the current release',
  options: [{ flags: '--welcome', description: 'Print a token of a local account and three curl lines to try.' }],
  async run(_args, options, terminal) {
    const settings = readSettings(process.env);
    const stop = termination();
    const service = await startServer(settings, catalog);
    const { release } = service.engine.status();
    if (terminal.json) terminal.out(JSON.stringify({ address: service.address, release }));
    else {
      terminal.out(`Listening on ${service.address}, release ${release ?? 'none (run plat ingest run)'}`);
      terminal.out(`Interactive documentation: ${service.address}/v1/docs`);
    }
    if (options.welcome === true) {
      const token = await localToken(service.state, service.tokens, Date);
      const example = release === null ? null : await findExample(settings.home, service.engine, catalog);
      for (const line of ['', ...welcomeLines(service.address, token, example, catalog)]) terminal.out(line);
    }
    const signal = await stop;
    terminal.err(`${signal}: finishing running requests`);
    await service.drain(settings.drain);
    return 0;
  },
};
