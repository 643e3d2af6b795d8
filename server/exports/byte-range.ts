/** Bytes of a file: from the first to behind the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a request asks for (RFC 9110, 14.2).
 * @param header `Range` as received. @param bytes of the whole.
 * @returns null for the whole: there is none, it is not of bytes, or asks for several; `none` where no byte is in it.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'none' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') return Number(last) === 0 ? 'none' : { start: Math.max(0, bytes - Number(last)), end: bytes };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= bytes) return 'none';
  return { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
}
