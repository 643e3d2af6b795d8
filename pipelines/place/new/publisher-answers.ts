import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countyBox } from '../../../datasets/codes/county-boxes.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { firstRows } from '../../../ingest/acquire/arcgis/arcgis.ts';
import type { Client } from '../../../ingest/acquire/client.ts';
import { AcquireError } from '../../../ingest/acquire/fault.ts';
import { locate } from '../../../ingest/acquire/locate.ts';
import { surveyAreas } from '../../../ingest/acquire/soil-survey.ts';
import { guessColumns } from '../init/layers-guess.ts';
import { beginReading } from '../init/sample.ts';
import type { CountyOfPlace, SourceLayer } from './source-layer.ts';
import type { LeftOut } from './sources.ts';

/** Subbasins (HUC8) of the Watershed Boundary Dataset, whose first four digits are those of the pieces of NHDPlus HR. */
const WATERSHEDS = 'https://hydro.nationalmap.gov/arcgis/rest/services/wbd/MapServer/4';

/** Milliseconds in which a publisher answers. */
const PATIENCE_MS = 30_000;
/** Rows of a page: as many as a guess needs, and every server sends. */
const PAGE = 500;
/** Least score of a guessed column, as place init has it: what is below wants looking at. */
const SURE = 0.65;

/** Columns that were guessed from the first rows of a source. */
export type Guesses = Readonly<Record<string, ColumnExpression>>;

/** What publishers said. */
export interface PublisherAnswers {
  /** Pieces that reach the county, by the placeholder of an address. */
  readonly pieces: ReadonlyMap<string, readonly string[]>;
  /** Columns by the file of a source of parcels. */
  readonly guesses: ReadonlyMap<string, Guesses>;
  /** What stays open, because somebody did not answer. */
  readonly open: readonly LeftOut[];
}

/** Subregions (HUC4) that reach the box of a county. */
async function subregions({ county }: CountyOfPlace, client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const query = new URLSearchParams({
    where: '1=1',
    geometry: countyBox(county)!.join(','),
    geometryType: 'esriGeometryEnvelope',
    inSR: '4326',
    spatialRel: 'esriSpatialRelIntersects',
    outFields: '*',
    returnGeometry: 'false',
    f: 'json',
  });
  const said = (await client.json(`${WATERSHEDS}/query?${query}`, signal)) as {
    features?: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[];
  } | null;
  const codes = (said?.features ?? []).flatMap(({ attributes = {} }) => {
    const name = Object.keys(attributes).find(key => key.toLowerCase() === 'huc8');
    return name === undefined ? [] : [String(attributes[name]).slice(0, 4)];
  });
  if (codes.length === 0) throw new AcquireError('wrong_content', WATERSHEDS, 'names no subbasin of the county');
  return [...new Set(codes)].sort();
}

/** Columns of a source of parcels that its first rows tell, beside those that the directory maps. */
async function guessesOf({ at, layer }: SourceLayer, of: CountyOfPlace, client: Client): Promise<Guesses> {
  const source = { seen: 'unconfirmed', ...at, url: at.url! } as Parameters<typeof locate>[0];
  const located = { ...locate(source, at, of), vintage: null };
  const tools = { client, came: () => {}, signal: AbortSignal.timeout(PATIENCE_MS) };
  const folder = await mkdtemp(join(tmpdir(), 'plat-page-'));
  try {
    const path = join(folder, 'page.geojson');
    await writeFile(path, await firstRows(located, tools, PAGE));
    const { readings, unread } = await beginReading(path, 'page.geojson');
    const [reading] = readings;
    if (!reading) throw new AcquireError('wrong_content', at.url!, unread[0]?.reason ?? 'has no rows');
    const sample = await reading.finish();
    const area = { state: of.state, county: of.county, countyName: of.name };
    const { columns } = guessColumns('parcel_store', 'main', sample, [], area);
    return Object.fromEntries(
      [...columns]
        .filter(([name, { score }]) => score >= SURE && !Object.hasOwn(layer.columns, name))
        .map(([name, { expression }]) => [name, expression]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Asks publishers what neither the catalog nor the directory says: which pieces of a dataset reach the county, and what the columns of
 * its parcels are. Whoever does not answer leaves that open.
 * @param sources of parcels. @param hasPieces whether pieces of a placeholder are wanted.
 */
export async function askPublishers(
  of: CountyOfPlace,
  sources: readonly SourceLayer[],
  hasPieces: (placeholder: string) => boolean,
  client: Client,
): Promise<PublisherAnswers> {
  const pieces = new Map<string, readonly string[]>();
  const guesses = new Map<string, Guesses>();
  const open: LeftOut[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const isSilence = (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError';
      if (!isSilence && !(error instanceof AcquireError)) throw error;
      open.push({ what, why: isSilence ? `no answer within ${PATIENCE_MS / 1000} s` : (error as Error).message });
    }
  };
  const piece = (placeholder: string, what: string, ask: (signal: AbortSignal) => Promise<readonly string[]>) =>
    hasPieces(placeholder)
      ? attempt(what, async () => {
          pieces.set(placeholder, await ask(AbortSignal.timeout(PATIENCE_MS)));
        })
      : undefined;
  await Promise.all([
    piece('huc4', 'the pieces of NHDPlus HR', signal => subregions(of, client, signal)),
    piece('area', 'the areas of the soil survey', signal =>
      surveyAreas(`${of.state}${of.county.slice(2)}`, client, signal),
    ),
    ...sources
      .filter(({ at }) => at.via === 'arcgis')
      .map(source =>
        attempt(`columns of ${source.file} beside its parcel number`, async () => {
          guesses.set(source.file, await guessesOf(source, of, client));
        }),
      ),
  ]);
  return { pieces, guesses, open };
}
