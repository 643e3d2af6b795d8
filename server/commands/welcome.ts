import type { Catalog } from '../../datasets/catalog.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { TokenService } from '../auth/token.ts';
import type { Clock } from '../clock.ts';
import type { ExamplePlace } from '../docs/page/example-place.ts';
import type { StateStore } from '../state/store.ts';

/** The account of a private installation; `.invalid` can receive no mail (RFC 2606). */
const LOCAL_ACCOUNT = 'local@plat.invalid';
/** A token that is about to end is not worth showing. */
const MIN_REST_SECONDS = 7 * 24 * 60 * 60;

/** The token of the local account on plan scale: the newest that still lives a week, else a new one. */
export async function localToken(state: StateStore, tokens: TokenService, clock: Clock): Promise<string> {
  const account = await state.openAccount(LOCAL_ACCOUNT, 'scale');
  const now = clock.now() / 1000;
  const kept = (await state.tokens(account.id)).find(
    row => row.revokedAt === null && row.expiresAt - now > MIN_REST_SECONDS,
  );
  return kept ? tokens.reveal(kept) : tokens.issue(account);
}

/** The first field of every layer, so that an example shows what there is. */
function onePerLayer(catalog: Catalog, names: readonly string[]): string[] {
  const layers = new Map<string, string>();
  for (const name of names) {
    const { layer } = catalog.fields.get(name)!;
    if (!layers.has(layer)) layers.set(layer, name);
  }
  return [...layers.values()];
}

/** The preset that says whether it floods, where that can be told; otherwise the one with the most values after those it lacks. */
function presetWorthTrying(catalog: Catalog, answered: ReadonlySet<string>): string | null {
  const [best] = [...catalog.presets]
    .map(([name, fields]) => ({ name, count: fields.filter(field => answered.has(field)).length, of: fields.length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => rankOf(b) - rankOf(a));
  return best?.name ?? null;
}

const rankOf = ({ name, count, of }: { readonly name: string; readonly count: number; readonly of: number }) =>
  name === 'flood_risk' ? Number.POSITIVE_INFINITY : 2 * count - of;

/** Milliseconds that the first answer may take. */
const ANSWER_MS = 20_000;
/** Values of the first answer. */
const MOST_ANSWERED = 3;

/** A first answer about a place, each value with its source: what Plat is for. */
export async function answerLines(
  engine: Pick<Engine, 'fetch'>,
  catalog: Catalog,
  { point, fields }: Pick<ExamplePlace, 'point' | 'fields'>,
): Promise<string[]> {
  const names = onePerLayer(catalog, fields).slice(0, MOST_ANSWERED);
  const answers = await engine.fetch(names, point, { deadline: Date.now() + ANSWER_MS });
  return [
    `An answer about ${point.lat}, ${point.lng}:`,
    ...Object.entries(answers).map(([name, { value, source, vintage }]) => {
      const { title, unit } = catalog.fields.get(name)!;
      const told = value === null ? 'no value' : `${value}${unit === null ? '' : ` ${unit}`}`;
      return `  ${title}: ${told} (${source}, ${vintage ?? 'of no known date'})`;
    }),
  ];
}

/**
 * The lines printed when a private installation starts: a token, the explorer with it, and three curl commands that work when
 * pasted.
 * @param base address of the server without a trailing slash. @param isOpened whether the explorer opens on the example.
 */
export function welcomeLines(
  base: string,
  token: string,
  example: Omit<ExamplePlace, 'address'> | null,
  catalog: Catalog,
  isOpened = false,
): string[] {
  const spot = isOpened && example ? `&at=${example.point.lat},${example.point.lng}` : '';
  const lines = [
    `API token: ${token}`,
    `Explorer, connected with it: ${base}/#token=${token}${spot}`,
    `Three requests worth trying; ${base}/v1/docs has one of each kind:`,
    `export PLAT_TOKEN=${token}`,
  ];
  const ready = `curl -s ${base}/readyz`;
  if (!example) return [...lines, ready, `curl -s ${base}/v1/meta/fields`, `curl -s ${base}/v1/meta/plans`];
  const { lat, lng } = example.point;
  const post = (path: string, body: unknown) =>
    `curl -s ${base}${path} -H "Authorization: Bearer $PLAT_TOKEN" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const preset = presetWorthTrying(catalog, new Set(example.fields));
  const filters = [
    { field: 'state', op: 'eq', value: example.state },
    { field: 'acreage', op: 'gt', value: 1 },
  ];
  return [
    ...lines,
    post('/v1/fetch', { lat, lng, ...(preset === null ? { fields: example.fields.slice(0, 1) } : { preset }) }),
    post('/v1/fetch', { lat, lng, fields: onePerLayer(catalog, example.fields) }),
    example.state === null ? ready : post('/v1/search', { filters, limit: 3 }),
  ];
}
