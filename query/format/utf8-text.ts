const STRICT = new TextDecoder('utf-8', { fatal: true });
/** Bytes of text up to which reading them one by one is faster than the decoder. */
const SHORT = 24;

/** Text that stands as UTF-8 in some bytes: most is short and plain, which needs no decoder. @throws TypeError when it is no UTF-8. */
export function textAt(bytes: Uint8Array, at: number, width: number): string {
  if (width > SHORT) return STRICT.decode(bytes.subarray(at, at + width));
  let text = '';
  for (let i = at; i < at + width; i++) {
    const byte = bytes[i]!;
    if (byte > 0x7f) return STRICT.decode(bytes.subarray(at, at + width));
    text += String.fromCharCode(byte);
  }
  return text;
}
