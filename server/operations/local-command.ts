import { readFileSync } from 'node:fs';
import { type Command, type Terminal, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import type { SetStatement } from '../../query/sets/sql/set-query.ts';
import type { SqlTask } from '../../query/sets/sql/set-sql.ts';
import type { SearchServices } from '../search/operation.ts';
import type { AreaCtx, SetServices } from '../sets/area-source.ts';

const LIMIT_MS = 180_000;
const STDIN = 0;

/** Answers a body, without a server. @returns JSON text. */
type LocalAnswer = (
  ctx: AreaCtx,
  services: SetServices,
  body: unknown,
  options: Parameters<Command['run']>[1],
) => Promise<string>;

const EXPLAIN = {
  flags: '--explain',
  description: 'Print the question as SQL for `plat sql`, with its values as parameters, instead of answering it.',
};

/** Prints a statement, with its values as `plat sql --parameters` takes them. */
function printStatement(terminal: Terminal, { sql, parameters }: SetStatement): void {
  if (terminal.json) terminal.out(JSON.stringify({ sql, parameters }));
  else {
    terminal.out(sql);
    terminal.out(`-- parameters: ${JSON.stringify(parameters)}`);
  }
}

/** The body of a question, from a file or from standard input. @throws UsageError */
function bodyOf(name: string, file: string | undefined): Buffer {
  if (file === undefined)
    throw new UsageError(`${name}: expected a file with the JSON body of the question, or - for standard input`);
  try {
    return readFileSync(file === '-' ? STDIN : file);
  } catch (error) {
    throw new UsageError(`${name}: ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Makes a command that answers from the current release what an endpoint does, without a server. */
export function localCommand(
  {
    name,
    summary,
    options = [],
    sql,
  }: Pick<Command, 'name' | 'summary'> & {
    readonly options?: Command['options'];
    /** The task that its question is in the end, where SQL says that one. */
    readonly sql?: SqlTask | undefined;
  },
  answer: LocalAnswer,
): Command {
  return {
    name,
    example: `plat ${name} question.json`,
    summary,
    args: ['[body]'],
    options: sql ? [...options, EXPLAIN] : options,
    async run([file], given, terminal) {
      const bytes = bodyOf(name, file);
      const [
        { catalog },
        { createEngine },
        { memoryShares },
        { parseJson },
        { ServiceError },
        { freeGeocoder },
        { embeddedRouting },
        { ReleaseChoice },
        { openState },
        { keepMatchMap },
        { publicUrlOf },
        { StatementAnswer, statementEngine },
        { openReleaseById },
      ] = await Promise.all([
        import('../../datasets/catalog.ts'),
        import('../../query/engine/engine.ts'),
        import('../../query/engine/memory/memory-shares.ts'),
        import('../http/json.ts'),
        import('../errors/registry.ts'),
        import('../geocoder/free.ts'),
        import('../proximity/provider/embedded.ts'),
        import('../release/choice.ts'),
        import('../state/open.ts'),
        import('../tiles/match-map.ts'),
        import('../public-url.ts'),
        import('./set-statement.ts'),
        import('../../query/release/open-release.ts'),
      ]);
      const settings = readSettings(process.env);
      let body: unknown;
      try {
        body = parseJson(bytes);
      } catch (error) {
        throw new UsageError(`${name}: the body is no JSON: ${(error as Error).message}`);
      }
      const memoryMb = memoryShares(settings.memory, 1).workerMb;
      // A command ends before anything could check its files in the background: those of a copied or restored home are checked as they are read.
      const inlineBytes = Number.POSITIVE_INFINITY;
      const engine = await createEngine({ home: settings.home, workers: 1, queue: 1, memoryMb, inlineBytes });
      const deadline = Date.now() + LIMIT_MS;
      const { signal } = new AbortController();
      const geocoder = freeGeocoder(engine);
      const release = new ReleaseChoice(engine);
      const oracle =
        sql && given.explain === true
          ? statementEngine(engine, catalog, id => openReleaseById(settings.home, id), sql)
          : engine;
      const ctx: AreaCtx = {
        catalog,
        engine: oracle,
        geocoder,
        release,
        deadline,
        signal,
        account: null,
        requestId: name,
      };
      const drive: SetServices['drive'] = async (origin, minutes) => {
        const { areas } = await embeddedRouting(engine).areas(origin, [minutes * 60], { deadline, signal });
        const reason = 'no road that cars may drive on lies near the place';
        if (!areas[0]) throw new ServiceError('proximity_data_unavailable', { reason });
        return areas[0].toJSON();
      };
      // Sites and templates belong to accounts, and nobody asks here.
      const nothing = async () => null;
      const { fileAsUpload } = await import('./local-upload.ts');
      const keepMap: SetServices['keepMap'] = async map => {
        const state = await openState(settings.home, settings.stateUrl);
        const owner = { account: null, publicUrl: publicUrlOf(settings), now: Date.now() };
        return keepMatchMap(state.matchMaps, map, owner).finally(() => state.close());
      };
      try {
        const json = await answer(
          ctx,
          {
            cursors: null,
            drive,
            siteShape: nothing,
            sitingTemplate: nothing,
            keepMap,
            upload: fileAsUpload,
            ...limitsOf(settings),
          },
          body,
          given,
        );
        terminal.out(terminal.json ? json : JSON.stringify(JSON.parse(json), null, 2));
        return 0;
      } catch (error) {
        if (error instanceof StatementAnswer) {
          printStatement(terminal, error.statement);
          return 0;
        }
        if (!(error instanceof ServiceError)) throw error;
        if (terminal.json) terminal.out(JSON.stringify(error.body));
        terminal.err(`${error.code}: ${error.message}`);
        const issues = (error.context.issues ?? []) as readonly { path: string; description: string; hint: string }[];
        for (const { path, description, hint } of issues) terminal.err(`  ${path}: ${description} ${hint}`);
        return 1;
      } finally {
        await engine.close();
      }
    },
  };
}

const limitsOf = (settings: ReturnType<typeof readSettings>): Omit<SearchServices, 'cursors'> => ({
  batch: settings.searchBatch,
  maxCandidates: settings.searchMaxCandidates || null,
  maxEvaluated: settings.searchMaxEvaluated || null,
  maxVertices: settings.searchMaxVertices,
  maxSquareKm: settings.searchMaxKm2,
});
