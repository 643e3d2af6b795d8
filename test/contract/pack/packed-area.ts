import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { catalog } from '../../../datasets/catalog.ts';
import { run } from '../../../pipelines/run.ts';
import { frameRectangle, fromFrame } from '../../../pipelines/world/frame.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { openPack } from '../../../query/release/pack/open-pack.ts';
import type { Receipt } from '../../../server/receipts/document.ts';
import type { PublishedKey } from '../../../server/receipts/keys.ts';
import { startServer } from '../../../server/service.ts';
import { inThisProcess, type Said } from '../../in-this-process.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { countiesOf, publishCounty } from '../../pipelines/workers/counties.ts';
import { syntheticHome } from '../../synthetic-home.ts';

/** Metres of the frame: west, sea, east, inland. Half of a county of the shared area, beside the border of the other one. */
export const SITE = [500, 1_000, 9_000, 9_000] as const;
/** A part of it. */
export const LOT = [3_000, 3_000, 6_000, 7_000] as const;

/** A county of Maine that lies 170 km from the shared area: nobody who asks there looks so far for its parcels and zones. */
const FAR = countiesOf(10, 500)[9]!;
/** A place in it. */
export const FAR_PLACE = { lat: FAR.south + 0.01, lng: FAR.west + 0.01 };
export const FAR_COUNTY = FAR.place.county;

/** A server and what it answers to a body, without what differs from request to request. */
export interface Asked {
  readonly home: string;
  ask(path: string, body: object): Promise<{ readonly status: number; readonly json: Json; readonly headers: Headers }>;
  get(path: string): Promise<Json>;
  /** An answer with its receipt. */
  receipt(path: string, body: object): Promise<{ readonly receipt: Receipt; readonly answer: Buffer }>;
  /** The public keys of its receipts. */
  keys(): Promise<readonly PublishedKey[]>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
type Json = any;

/** What the issue allows to differ, and what is sealed by each server: cursors, and moments of its own. */
const OWN = new Set(['fetched_at', 'request_id', 'next_cursor']);
const plain = (text: string): Json =>
  JSON.parse(text, (key, value: unknown) => (OWN.has(key) && value !== null ? '-' : value));

/** Serves a home to a client of a large plan. */
export async function served(home: string): Promise<Asked> {
  const env = { PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' };
  const service = await startServer(readSettings(env), catalog);
  const token = await service.tokens.issue(await service.state.openAccount('pack@example.org', 'market'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const get = async (path: string): Promise<Json> => (await fetch(service.address + path, { headers })).json();
  return {
    home,
    async ask(path, body) {
      const reply = await fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: reply.status, json: plain(await reply.text()), headers: reply.headers };
    },
    get,
    async receipt(path, body) {
      const asking = { method: 'POST', headers: { ...headers, 'x-service-receipt': '1' }, body: JSON.stringify(body) };
      const reply = await fetch(service.address + path, asking);
      const answer = Buffer.from(await reply.arrayBuffer());
      return { receipt: await get(`/v1/receipts/${reply.headers.get('x-service-receipt')}`), answer };
    },
    keys: async () => (await get('/.well-known/receipt-keys.json')).keys,
    close: () => service.drain(1_000),
  };
}

/** Folders of a test, which end with it. */
export class Folders {
  readonly #made: string[] = [];

  make(): string {
    const path = mkdtempSync(join(tmpdir(), 'plat-pack-'));
    this.#made.push(path);
    return path;
  }

  remove(): void {
    for (const path of this.#made) rmSync(path, { recursive: true, force: true });
  }
}

/** A home of the shared area and a county far from it. */
export async function twoPlaces(folders: Folders): Promise<string> {
  const [home, published] = [folders.make(), folders.make()];
  cpSync((await syntheticHome()).home, home, { recursive: true });
  publishCounty(published, FAR, 1);
  await run({ home, sources: join(published, FAR.place.name), place: FAR.place, threads: 0, progress: SILENT });
  return home;
}

/** Writes a rectangle of the frame as GeoJSON. */
export function areaFile(folder: string, [west, sea, east, inland]: readonly [number, number, number, number]): string {
  const path = join(folder, 'site.geojson');
  const coordinates = [frameRectangle(west, sea, east, inland)];
  writeFileSync(path, JSON.stringify({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } }));
  return path;
}

/** The filter of a rectangle of the frame. */
export const inside = ([west, sea, east, inland]: readonly [number, number, number, number]) => ({
  field: 'geometry',
  op: 'within',
  value: { type: 'Polygon', coordinates: [frameRectangle(west, sea, east, inland)] },
});

/** `plat pack`. */
export const packed = (
  home: string,
  area: string,
  out: string,
  more: Record<string, string | boolean> = {},
): Promise<Said> => inThisProcess(home, 'pack', { area, out, json: true, ...more });

/** Packs a rectangle and opens the pack. @returns its home. */
export async function openedPack(
  home: string,
  rectangle: readonly [number, number, number, number],
  folders: Folders,
): Promise<string> {
  const folder = folders.make();
  const path = join(folder, 'site.platpack');
  await packed(home, areaFile(folder, rectangle), path);
  return openPack(path, join(folder, 'packs'));
}

/** A place of a rectangle of the frame. */
export function placeIn(
  [west, sea, east, inland]: readonly number[],
  random: () => number,
): { lat: number; lng: number } {
  const between = (low: number, high: number) => low + random() * (high - low);
  const [lng, lat] = fromFrame([between(west!, east!), between(sea!, inland!)]);
  return { lat, lng };
}

const NAMES = [...catalog.fields.keys()];
/** All names of the catalog, as many together as a request takes. */
const GROUPS = Array.from({ length: Math.ceil(NAMES.length / 50) }, (_, i) => NAMES.slice(50 * i, 50 * i + 50));

/** Records of all fields that two servers tell otherwise at some places, 25 at a time; and how many are equal. */
export async function compared(
  [one, other]: readonly [Asked, Asked],
  places: readonly { readonly lat: number; readonly lng: number }[],
): Promise<{ readonly equal: number; readonly differing: readonly unknown[] }> {
  let equal = 0;
  const differing: unknown[] = [];
  for (let from = 0; from < places.length; from += 25)
    for (const fields of GROUPS) {
      const locations = places.slice(from, from + 25);
      const answers = await Promise.all(
        [one, other].map(server => server.ask('/v1/fetch/batch', { locations, fields })),
      );
      for (const [i, place] of locations.entries())
        for (const name of fields) {
          const [was, is] = answers.map(({ json }) => json.results[i].fields[name]);
          if (isDeepStrictEqual(was, is)) equal++;
          else differing.push({ place, name, was, is });
        }
    }
  return { equal, differing };
}

/** How many fields a place has. */
export const FIELDS = NAMES.length;
