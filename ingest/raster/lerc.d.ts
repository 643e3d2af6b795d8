declare module 'lerc' {
  /** Cells of one block as LERC stores them. */
  interface LercBlock {
    readonly width: number;
    readonly height: number;
    readonly pixels: readonly (ArrayBufferView & { [index: number]: number })[];
    /** 0 where a cell has no value; null when all have one. */
    readonly mask: Uint8Array | null;
  }
  const lerc: { decode(bytes: ArrayBuffer): LercBlock };
  export default lerc;
}
