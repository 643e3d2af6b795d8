import type { Catalog } from '../../datasets/catalog.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { AreaRecord } from '../../query/engine/site/ground-task.ts';
import type { ParcelsOn } from '../../query/parcel/parcels-on.ts';
import type { Clock } from '../clock.ts';
import { toRecord } from '../fetch/record.ts';
import type { FieldRecord } from '../fetch/schema.ts';

/** Milliseconds that a screening may take. */
const SCREENING_LIMIT_MS = 240_000;
/** How often a screening starts again because a new release was published during it. */
const ATTEMPTS = 3;

/** A field at a site: a fetch record at its interior point, and what the field says about the whole polygon. */
type DossierRecord = FieldRecord & {
  readonly field: string;
  /** Null when the field's operator has no form for areas. */
  readonly area: AreaRecord | null;
};

/** All results for a site in one release. */
export interface Dossier {
  readonly release: string | null;
  readonly built_at: string;
  readonly acres: number;
  readonly extent: readonly [number, number, number, number];
  /** The interior point, where the records are answered; WGS84 degrees. */
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  /** By field, every fetch field of the catalog. */
  readonly records: Readonly<Record<string, DossierRecord>>;
  readonly parcels: ParcelsOn;
}

/** The services that a screening needs. */
interface ScreeningServices {
  readonly engine: Pick<Engine, 'screenGround' | 'fetch' | 'status'>;
  readonly catalog: Catalog;
  readonly clock: Clock;
}

/**
 * Screens a polygon: its area in a worker, then every field at its interior point, all from one release.
 * @param site acres and extent of the polygon.
 * @throws AbortError when the signal aborts, EngineBusy, SiteUnscreened; Error when new releases keep coming.
 */
export async function screen(
  { engine, catalog, clock }: ScreeningServices,
  geometry: Geometry,
  site: Pick<Dossier, 'acres' | 'extent'>,
  signal: AbortSignal,
): Promise<Dossier> {
  const names = [...catalog.fields.keys()];
  for (let attempt = 1; ; attempt++) {
    const deadline = clock.now() + SCREENING_LIMIT_MS;
    const { release, point, areas, parcels } = await engine.screenGround(geometry, { deadline, signal });
    const answers = await engine.fetch(names, point, { deadline, signal });
    const moved = engine.status().release !== release;
    if (moved && attempt < ATTEMPTS) continue;
    if (moved) throw new Error('releases were published faster than the site could be screened');
    const records = names.map(name => {
      const record = toRecord(catalog.fields.get(name)!, answers[name]!);
      return [name, { field: name, ...record, area: areas[name] ?? null }] as const;
    });
    return {
      release,
      built_at: new Date(clock.now()).toISOString(),
      ...site,
      analysis_point: { lat: point.lat, lng: point.lng },
      records: Object.fromEntries(records),
      parcels,
    };
  }
}
