/**
 * Megabytes that a thread that computes overlays keeps of files: a twenty-fourth of PLAT_MEMORY_MB. Parcels come in the order of
 * a curve, so little is needed again: with twice as much an ingest took the same processor time (0.99 times) and 0.22 GB more.
 */
export const overlayMemoryMb = (memoryMb: number): number => Math.max(16, Math.round(memoryMb / 24));
