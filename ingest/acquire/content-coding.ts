import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, gunzipSync } from 'node:zlib';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type Headers = Readonly<Record<string, string>>;

/**
 * An answer as the file that its address names. Some servers code what was asked for plain, by `force-gzip` or from a file that
 * lies there coded. Its length, its parts and its tag are then those of the coded form: none of them is told of the file. A
 * file whose own name ends in .gz is left as it is, whatever its server calls that.
 */
export function decoded(
  { pathname }: URL,
  headers: Headers,
  body: Readable,
): { readonly headers: Headers; readonly body: Readable; readonly isDecoded: boolean } {
  const { 'content-encoding': coding = '', etag, ...rest } = headers;
  const decoder = DECODERS[coding.trim().toLowerCase()];
  if (!decoder || /\.(?:t?gz|br)$/i.test(pathname)) return { headers, body, isDecoded: false };
  const { 'content-length': _length, 'content-range': _range, ...plain } = rest;
  const weak: Headers = etag === undefined ? {} : { etag: etag.startsWith('W/') ? etag : `W/${etag}` };
  // A fault of the body is one of its decoded form too.
  return { headers: { ...plain, ...weak }, body: pipeline(body, decoder(), () => {}), isDecoded: true };
}

/**
 * Text of an answer, which is UTF-8, or else what servers of Windows write. Some compress it and do not say so.
 * @param most bytes of a text that came compressed. @returns null where it is compressed, and damaged or longer.
 */
export function textOf(bytes: Buffer, most: number): string | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    try {
      return textOf(gunzipSync(bytes, { maxOutputLength: most }), most);
    } catch {
      return null;
    }
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}
