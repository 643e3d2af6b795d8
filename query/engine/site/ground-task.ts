import type { Geometry } from '../../../datasets/geometry.ts';
import type { Point } from '../../evaluate/answer.ts';
import { type AreaFinding, type AreaStatistics, areaOf } from '../../evaluate/area/area.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import { openArea } from '../../evaluate/evaluate-area.ts';
import { cite, saidOnce } from '../../evaluate/finding.ts';
import { type ParcelsOn, parcelsOn } from '../../parcel/parcels-on.ts';
import { Fault } from '../../release/fault.ts';

/** What a field says about a site as a whole. Plain data. */
export interface AreaRecord {
  readonly status: 'ok' | 'absent' | 'failed';
  /** Null unless ok. */
  readonly statistics: AreaStatistics | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  readonly confidence: string;
  readonly notes: string | null;
  readonly error?: string;
  readonly retryable?: boolean;
}

/** Ground that is asked about, plain data. */
export interface GroundRequest {
  /** Valid polygons, lng,lat. */
  readonly geometry: Geometry;
  /** Fields of the catalog whose area forms are asked; null for all. */
  readonly names: readonly string[] | null;
}

/** Everything found about the ground of a site in one release, but for the values of fields at its interior point. */
export interface SiteGround {
  readonly release: string | null;
  /** Well inside, in the largest part. */
  readonly point: Point;
  /** By field; those without an area form are missing. */
  readonly areas: Readonly<Record<string, AreaRecord>>;
  readonly parcels: ParcelsOn;
}

function recordOf(finding: AreaFinding, dataset: { readonly id: string; readonly url: string | null }): AreaRecord {
  const { status, value: statistics, confidence, citations, notes, error, retryable } = finding;
  const { source, sourceUrl, vintage } = cite(citations, dataset);
  const record = { status, statistics, source, source_url: sourceUrl, dataset_vintage: vintage, confidence };
  const said = { ...record, notes: saidOnce(notes) };
  return status === 'failed' ? { ...said, error: error ?? 'failed', retryable: retryable ?? false } : said;
}

/**
 * Everything that area forms and parcels say of a site: long work, which lets other requests of its worker between. It
 * asks no table, so that nothing else waits for those.
 * @throws Interrupted when `stopped` says so, RangeError for an area without interior, Fault when files go on changing.
 */
export async function screenGround(
  { geometry, names }: GroundRequest,
  environment: TaskEnvironment,
): Promise<SiteGround> {
  const area = await areaOf(geometry);
  const { catalog, release } = environment;
  return settled<SiteGround>(async layers => {
    if (!layers) throw new Fault('no release is installed; nothing was published yet', true);
    const asking = openArea(area, environment, layers);
    const areas: Record<string, AreaRecord> = {};
    for (const field of catalog.fields.values()) {
      if (names && !names.includes(field.name)) continue;
      const finding = await asking.answer(field);
      if (finding) areas[field.name] = recordOf(finding, catalog.datasets.get(field.dataset)!);
    }
    const parcels = await asking.within(() => parcelsOn(asking.ctx));
    return { release: release!.id, point: area.point, areas, parcels };
  }, environment);
}
