import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../../datasets/place/place.ts';
import { places } from '../../datasets/places.ts';
import { runOverlay } from '../../pipelines/overlay/run.ts';
import { isParcelLayer } from '../../pipelines/release/parcel-layer.ts';
import { run } from '../../pipelines/run.ts';
import { type StoredParcel, served, storedParcels } from '../agreement/parcels.ts';
import { SILENT } from '../pipelines/silent.ts';
import { SOURCES } from './bangor.ts';

/** The places of this build whose real files hold parcels. */
export const WITH_PARCELS: readonly Place[] = [...places.values()].filter(
  ({ synthetic, layers }) => !synthetic && layers.some(isParcelLayer),
);

/** All of them in one home, served. */
export interface ServedPlaces {
  readonly home: string;
  readonly parcels: readonly StoredParcel[];
  /** States of the places whose files hold parcels that were rejected. */
  readonly rejected: ReadonlySet<string>;
  readonly service: Awaited<ReturnType<typeof served>>;
  close(): Promise<void>;
}

/** Ingests them all, without the calculations of their parcels or with them, and serves the release. */
export async function servePlaces(calculated: boolean): Promise<ServedPlaces> {
  const home = mkdtempSync(join(tmpdir(), 'plat-counties-'));
  const rejected = new Set<string>();
  for (const place of WITH_PARCELS) {
    const { counts } = await run({ home, sources: SOURCES, place, threads: 2, progress: SILENT });
    if (counts.some(count => count.dataset === 'parcel_store' && count.rejected > 0)) rejected.add(place.state);
  }
  if (calculated) await runOverlay({ home, threads: 2, memoryMb: 512, progress: SILENT });
  const service = await served(home);
  return {
    home,
    parcels: await storedParcels(home),
    rejected,
    service,
    async close() {
      await service.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
