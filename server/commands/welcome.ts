import type { Catalog } from '../../datasets/catalog.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { openRelease } from '../../query/release/open-release.ts';
import type { TokenService } from '../auth/token.ts';
import type { Clock } from '../clock.ts';
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

/** A point of the open release and the fields that have a value there. */
interface Example {
  readonly point: Point;
  readonly fields: readonly string[];
}

/** Points of the box of every parcel partition: its middle first, then a grid around it. */
function candidates(home: string): Point[] {
  const { manifest } = openRelease(home);
  const partitions = manifest.datasets.parcel_store?.main?.partitions ?? [];
  const largest = [...partitions].filter(p => p.box).sort((a, b) => b.rows - a.rows)[0];
  if (!largest?.box) return [];
  const [west, south, east, north] = largest.box;
  const shares = [0.5, 0.4, 0.6, 0.3, 0.7];
  return shares.flatMap(y =>
    shares.map(x => ({
      lng: Number((west + (east - west) * x).toFixed(5)),
      lat: Number((south + (north - south) * y).toFixed(5)),
    })),
  );
}

/**
 * A place to try the service at: a point on a parcel of the release, and what has a value there.
 * @returns null when the release has no parcels or nothing there answers.
 */
export async function findExample(home: string, engine: Engine, catalog: Catalog): Promise<Example | null> {
  const installed = engine.status().datasets;
  const names = [...catalog.fields.values()].filter(field => installed[field.dataset]).map(field => field.name);
  const parcelNames = names.filter(name => catalog.parcelRecord.has(name));
  const valued = async (wanted: readonly string[], point: Point) => {
    const answers = await engine.fetch(wanted, point, { deadline: Date.now() + 5_000 });
    return wanted.filter(name => answers[name]?.status === 'ok');
  };
  const points = candidates(home);
  for (const point of points)
    if ((await valued(parcelNames, point)).length > 0) return { point, fields: await valued(names, point) };
  const fields = points[0] ? await valued(names, points[0]) : [];
  return fields.length > 0 ? { point: points[0]!, fields } : null;
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

/**
 * The lines printed when a private installation starts: a token, the explorer with it, and three curl commands that work when
 * pasted.
 * @param base address of the server without a trailing slash.
 */
export function welcomeLines(base: string, token: string, example: Example | null, catalog: Catalog): string[] {
  const lines = [
    `API token: ${token}`,
    `Explorer, connected with it: ${base}/#token=${token}`,
    'Try:',
    `curl -s ${base}/readyz`,
  ];
  if (!example) return [...lines, `curl -s ${base}/v1/meta/fields`, `curl -s ${base}/v1/meta/plans`];
  const { lat, lng } = example.point;
  const post = (body: unknown) =>
    `curl -s ${base}/v1/fetch -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const answered = new Set(example.fields);
  // The preset with the most values after those it lacks are taken off.
  const [preset] = [...catalog.presets]
    .map(([name, fields]) => ({ name, count: fields.filter(field => answered.has(field)).length, of: fields.length }))
    .sort((a, b) => 2 * b.count - b.of - (2 * a.count - a.of));
  return [
    ...lines,
    post({ lat, lng, fields: onePerLayer(catalog, example.fields) }),
    preset && preset.count > 0
      ? post({ lat, lng, preset: preset.name })
      : post({ lat, lng, fields: example.fields.slice(0, 1) }),
  ];
}
