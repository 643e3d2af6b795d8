import { readFileSync } from 'node:fs';
import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import type { SearchServices } from '../search/operation.ts';
import type { AreaCtx, SetServices } from '../sets/area-source.ts';

const LIMIT_MS = 180_000;
const STDIN = 0;

/** An operation over all parcels that pass filters. @returns its answer, or the JSON text of it. */
type Operation = (ctx: AreaCtx, services: SetServices, body: unknown) => Promise<object | string>;

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
function setCommand(name: string, summary: string, load: () => Promise<Operation>): Command {
  return {
    name,
    example: `plat ${name} question.json`,
    summary,
    args: ['[body]'],
    options: [],
    async run([file], _options, terminal) {
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
        answer,
      ] = await Promise.all([
        import('../../datasets/catalog.ts'),
        import('../../query/engine/engine.ts'),
        import('../../query/engine/memory/memory-shares.ts'),
        import('../http/json.ts'),
        import('../errors/registry.ts'),
        import('../geocoder/free.ts'),
        import('../proximity/provider/embedded.ts'),
        import('../release/choice.ts'),
        load(),
      ]);
      const settings = readSettings(process.env);
      let body: unknown;
      try {
        body = parseJson(bytes);
      } catch (error) {
        throw new UsageError(`${name}: the body is no JSON: ${(error as Error).message}`);
      }
      const memoryMb = memoryShares(settings.memory, 1).workerMb;
      const engine = await createEngine({ home: settings.home, workers: 1, queue: 1, memoryMb });
      const deadline = Date.now() + LIMIT_MS;
      const { signal } = new AbortController();
      const geocoder = freeGeocoder(engine);
      const release = new ReleaseChoice(engine);
      const ctx: AreaCtx = { catalog, engine, geocoder, release, deadline, signal, account: null, requestId: name };
      const drive: SetServices['drive'] = async (origin, minutes) => {
        const { areas } = await embeddedRouting(engine).areas(origin, [minutes * 60], { deadline, signal });
        const reason = 'no road that cars may drive on lies near the place';
        if (!areas[0]) throw new ServiceError('proximity_data_unavailable', { reason });
        return areas[0].toJSON();
      };
      try {
        const said = await answer(ctx, { cursors: null, drive, ...limitsOf(settings) }, body);
        const told: unknown = typeof said === 'string' ? JSON.parse(said) : said;
        terminal.out(terminal.json ? JSON.stringify(told) : JSON.stringify(told, null, 2));
        return 0;
      } catch (error) {
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

/** `plat count`. */
export const countCommand = setCommand(
  'count',
  'Count the parcels of the current release that pass filters: what POST /v1/search/count answers.',
  async () => (await import('../sets/count.ts')).countMatches,
);

/** `plat rank`. */
export const rankCommand = setCommand(
  'rank',
  'Put the parcels of the current release that pass filters in order: what POST /v1/rank answers.',
  async () => {
    const { rankMatches, rankText } = await import('../sets/rank.ts');
    return async (ctx, services, body) => rankText(await rankMatches(ctx, services, body));
  },
);

/** `plat aggregate`. */
export const aggregateCommand = setCommand(
  'aggregate',
  'Group the parcels of the current release that pass filters: what POST /v1/aggregate answers.',
  async () => {
    const { aggregateMatches, aggregateText } = await import('../sets/aggregate.ts');
    return async (ctx, services, body) => aggregateText(await aggregateMatches(ctx, services, body));
  },
);

/** `plat areas`. */
export const areasCommand = setCommand(
  'areas',
  'Make the area within a distance or a drive of a place: what POST /v1/areas answers.',
  async () => (await import('../sets/area.ts')).searchArea,
);

/** `plat explain`. */
export const explainCommand = setCommand(
  'explain',
  'Say why a parcel passes filters or not, or why none does: what POST /v1/search/explain answers.',
  async () => (await import('../sets/explain.ts')).explainSearch,
);

/** `plat similar`. */
export const similarCommand = setCommand(
  'similar',
  'Find the parcels of the current release most like one: what POST /v1/similar answers.',
  async () => {
    const { similarMatches, similarText } = await import('../sets/similar.ts');
    return async (ctx, services, body) => similarText(await similarMatches(ctx, services, body));
  },
);

/** `plat owners`. */
export const ownersCommand = setCommand(
  'owners',
  'Find owners in the current release by name, with what they have: what POST /v1/owners answers.',
  async () => (await import('../owners/operation.ts')).findOwners,
);

/** `plat owner-parcels`. */
export const ownerParcelsCommand = setCommand(
  'owner-parcels',
  'List the parcels of one owner: what POST /v1/owners/parcels answers.',
  async () => {
    const { findOwnerParcels, ownerParcelsText } = await import('../owners/operation.ts');
    return async (ctx, services, body) => ownerParcelsText(await findOwnerParcels(ctx, services, body));
  },
);
