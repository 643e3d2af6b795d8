/**
 * Megabytes that a thread that computes overlays keeps of files: a twelfth of PLAT_MEMORY_MB. Parcels come in the order of a
 * curve, so little is needed again: with 512 MB instead of 128 MB all fields took as long (0.94 to 1.05 times, bench/overlay.ts).
 */
export const overlayMemoryMb = (memoryMb: number): number => Math.max(16, Math.round(memoryMb / 12));
