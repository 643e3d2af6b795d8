/** UTF-16 by its byte-order mark, or by every other byte of ASCII text being nought; undefined where neither is so. */
export function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const pairs = head.length >> 1;
  let [even, odd] = [0, 0];
  for (let i = 0; i < pairs * 2; i++) if (head[i] === 0) i % 2 === 0 ? even++ : odd++;
  if (pairs < 2) return undefined;
  if (odd > 0.7 * pairs && even === 0) return 'utf-16le';
  return even > 0.7 * pairs && odd === 0 ? 'utf-16be' : undefined;
}

/** ASCII characters that the beginning of a text without a byte-order mark needs to be taken for UTF-32. */
const FEW = 4;

/** Mark of a text in UTF-32: its byte-order mark, or three of four bytes that are nought. */
export function isUtf32(head: Buffer): boolean {
  const first = head.length >= 4 ? head.readUInt32BE(0) : 0;
  if (first === 0x0000feff || first === 0xfffe0000) return true;
  if (head.length < 4 * FEW) return false;
  const words = Array.from({ length: FEW }, (_, i) => head.subarray(4 * i, 4 * i + 4));
  const isPrinted = (byte: number) => byte >= 0x20 && byte < 0x7f;
  return [0, 3].some(at =>
    words.every(word => isPrinted(word[at]!) && word.every((byte, i) => i === at || byte === 0)),
  );
}
