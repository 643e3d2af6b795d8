import type { OverlayReport } from '../overlay/overlay.ts';

/** One line of what overlays took, with what they take on disk. */
export function overlayLine({ parcels, written, kept, bytes, seconds }: OverlayReport): string {
  const rate = parcels && seconds > 0 ? ` (${Math.round(parcels / seconds)} parcels/s)` : '';
  return `overlays: ${written.length} computed for ${parcels} parcels, ${kept} kept, ${seconds.toFixed(1)} s${rate}, ${(bytes / 1048576).toFixed(1)} MiB in all`;
}
