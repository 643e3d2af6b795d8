import { groundText, groundTotal } from '../../datasets/place/ground-kind.ts';
import type { IngestCount, JoinCount } from '../../datasets/release.ts';
import type { OverlayReport } from '../overlay/overlay.ts';
import type { TilesReport } from '../steps/tiles/tiled.ts';

const number = (n: number) => n.toLocaleString('en-US');

/** Returns a line about a join: how many of the layer's rows it joined, and how many of them to several rows. */
export function joinLine({ file, prefix, joined, unjoined, several }: JoinCount): string {
  const all = joined + unjoined;
  const share = all === 0 ? '' : ` (${((100 * joined) / all).toFixed(1)} %)`;
  const ambiguous = several > 0 ? `, ${number(several)} of them to several rows` : '';
  return `joined ${prefix}: ${number(joined)} of ${number(all)} rows${share} to ${file}${ambiguous}`;
}

/** Returns a line about the overlays of a run: number, time, rate and size on disk. */
export function overlayLine({ parcels, written, kept, bytes, seconds }: OverlayReport): string {
  const rate = parcels && seconds > 0 ? ` (${Math.round(parcels / seconds)} parcels/s)` : '';
  return `overlays: ${written.length} computed for ${parcels} parcels, ${kept} kept, ${seconds.toFixed(1)} s${rate}, ${(bytes / 1048576).toFixed(1)} MiB in all`;
}

/** Returns a line about the tiles of a run: number of map layers drawn and kept, those that cannot be drawn, size on disk. */
export function tilesLine({ made, failed, kept, bytes }: TilesReport): string {
  const problem = failed.length > 0 ? `, ${failed.join(', ')} cannot be drawn` : '';
  return `map: ${made.length} layers drawn, ${kept} kept${problem}, ${(bytes / 1048576).toFixed(1)} MiB in all`;
}

/** Returns a line about each file of parcels some of whose rows are roads, water or other ground and no parcels. */
export const groundLines = (counts: readonly IngestCount[]): string[] =>
  counts.flatMap(({ file, ground }) =>
    ground
      ? [`${file}: ${number(groundTotal(ground))} rows are no parcels and stand beside them (${groundText(ground)})`]
      : [],
  );

/** Returns a line about each file that has addresses which the geocoder cannot read. */
export const unaddressedLines = (counts: readonly IngestCount[]): string[] =>
  counts.flatMap(({ file, written, unaddressed }) =>
    unaddressed
      ? [
          `${file}: ${number(unaddressed)} of ${number(written)} rows have an address that cannot be read as a number and a street; no address finds them (plat ingest rejects --addresses lists them)`,
        ]
      : [],
  );
