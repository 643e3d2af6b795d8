import { join } from 'node:path';
import { type Command, type Terminal, UsageError } from '../../query/engine/command.ts';
import { readSettings, type Settings } from '../../query/engine/settings.ts';
import { type Greeting, isKept, keepServing, tellKeeper } from '../processes.ts';
import type { Replica } from '../replica/replica-state.ts';
import type { Service } from '../service.ts';

/**
 * Resolves with the first SIGTERM or SIGINT. A second one ends the process at once, but for one that is kept: a terminal
 * and the keeper both signal it, and it ends with its keeper.
 */
function termination(kept: boolean): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let first: NodeJS.Signals | null = null;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (first !== null && !kept) process.exit(1);
        first ??= signal;
        resolve(first);
      });
  });
}

/** What is printed once a server listens. @param answered whether an answer about the example is printed too. */
async function greetingOf(
  service: Service,
  unreleased: string,
  {
    json,
    welcome,
    answered,
  }: { readonly json: boolean; readonly welcome: boolean | string; readonly answered: boolean },
): Promise<string[]> {
  const place = typeof welcome === 'string' ? welcome : null;
  const { address, engine } = service;
  const { release } = engine.status();
  const lines = json
    ? [JSON.stringify({ address, release })]
    : [
        `Listening on ${address}, release ${release ?? unreleased}`,
        ...(welcome ? [] : [`Documentation: ${address}/v1/docs`]),
      ];
  if (!welcome) return lines;
  const [{ catalog }, { answerLines, localToken, welcomeLines }, { findExamplePlace }, calculations] =
    await Promise.all([
      import('../../datasets/catalog.ts'),
      import('./welcome.ts'),
      import('../docs/page/example-place.ts'),
      import('../meta/calculations.ts'),
    ]);
  const token = await localToken(service.state, service.tokens, Date);
  const example = release === null ? null : await findExamplePlace(engine, catalog, place);
  const waiting = calculations.calculationsOf(catalog, engine);
  return [
    ...lines,
    ...(answered && example ? await answerLines(engine, catalog, example) : []),
    ...welcomeLines(address, token, example, catalog, place !== null),
    ...(waiting === null
      ? []
      : [calculations.calculationsText(waiting), `How far they are: curl -s ${address}/v1/meta/fields, calculations`]),
  ];
}

/** Pulls releases for all serving processes: this one has nothing else to do. */
async function startPulling(settings: Settings): Promise<Replica> {
  const [{ pullForProcesses }, { serverLog }] = await Promise.all([
    import('../replica/replica.ts'),
    import('../server-log.ts'),
  ]);
  return pullForProcesses(settings, serverLog(settings));
}

/** The home that a pack is opened as. @throws UsageError where releases are to be pulled; PackError for one that is damaged. */
async function packHome(path: string, terminal: Terminal): Promise<string> {
  const { home, releases } = readSettings(process.env);
  if (releases !== '') throw new UsageError('a pack has its release: serve it without PLAT_RELEASES (--releases)');
  const { openPack } = await import('../../query/release/pack/open-pack.ts');
  const own = await openPack(path, join(home, 'packs'));
  terminal.err(`${path} is open in ${own}; beyond its area nothing is answered`);
  return own;
}

/** `plat serve`. */
export const serveCommand: Command = {
  name: 'serve',
  example: 'plat serve --port 8080',
  summary: 'Answer the HTTP API from the current release',
  options: [
    {
      flags: '--welcome [place]',
      description:
        'Print a token of a local account, the explorer with it and three curl lines to try: at this place of the release, or at its largest.',
    },
    {
      flags: '--pack <file>',
      description:
        'Answer from a pack (`plat pack`), which is opened below packs/ of PLAT_HOME; its state is kept there too.',
    },
  ],
  async run(_args, options, terminal) {
    // Processes that are kept find the home that their keeper made of the pack.
    if (typeof options.pack === 'string' && !isKept) process.env.PLAT_HOME = await packHome(options.pack, terminal);
    const settings = readSettings(process.env);
    const kept = settings.processes > 1 && isKept;
    const stop = termination(kept).then(signal => {
      if (!kept) terminal.err(`${signal}: finishing running requests`);
    });
    const print = ({ lines }: Greeting) => {
      for (const line of lines) terminal.out(line);
    };
    if (settings.processes > 1 && !kept) {
      const { metricsHost, metricsPort } = settings;
      const [{ exposeMetrics }, { ofAllProcesses }] = await Promise.all([
        import('../metrics/listener.ts'),
        import('../metrics/processes.ts'),
      ]);
      const replica = settings.releases === '' ? null : await startPulling(settings);
      const all = ofAllProcesses(settings.processes);
      const metrics = metricsPort > 0 ? await exposeMetrics(all, metricsHost, metricsPort) : null;
      const warn = (line: string) => {
        all.countRestart();
        terminal.err(line);
      };
      const code = await keepServing(settings.processes, { greet: print, warn, stop });
      await metrics?.close();
      await replica?.close();
      return code;
    }
    const [{ startServer }, { catalog }] = await Promise.all([
      import('../service.ts'),
      import('../../datasets/catalog.ts'),
    ]);
    const service = await startServer(settings, catalog);
    const unreleased =
      settings.releases === '' ? 'none (run plat ingest run)' : `none yet (waits for ${settings.releases})`;
    const lines = await greetingOf(service, unreleased, {
      json: terminal.json,
      welcome: options.welcome ?? false,
      answered: options.answer === true,
    });
    if (kept && service.metrics) (await import('../metrics/processes.ts')).answerKeeper(service.metrics);
    (kept ? tellKeeper : print)({ address: service.address, lines });
    await stop;
    await service.drain(settings.drain, settings.drainDelay);
    return 0;
  },
};
