// Arrays in memory that threads share: what one thread has read another uses without a copy.

/** So many doubles, 0 each. */
export const sharedDoubles = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));

/** So many 32-bit words, 0 each. */
export const sharedWords = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(length * 4));

/** So many 16-bit words, 0 each. */
export const sharedShorts = (length: number): Uint16Array => new Uint16Array(new SharedArrayBuffer(length * 2));

/** So many bytes, 0 each. */
export const sharedBytes = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));
