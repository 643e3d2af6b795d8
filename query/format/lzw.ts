const CLEAR = 256;
const END = 257;
const FIRST = 258;
const LEAST_BITS = 9;
const MOST_BITS = 12;
const MOST_CODES = 1 << MOST_BITS;
/** No honest block is larger. */
const MOST_BYTES = 1 << 29;

/**
 * TIFF's LZW (TIFF 6.0, section 13: codes from the highest bit, widths grow one code early).
 * @param limit bytes after which what follows is of no interest.
 * @throws RangeError for a code that no encoder can have written: damaged input ends soon, whatever it holds.
 */
export function decodeLzw(input: Uint8Array, limit = MOST_BYTES): Uint8Array<ArrayBuffer> {
  const prefix = new Uint16Array(MOST_CODES);
  const last = new Uint8Array(MOST_CODES);
  const first = new Uint8Array(MOST_CODES);
  const length = new Uint16Array(MOST_CODES);
  for (let i = 0; i < CLEAR; i++) {
    last[i] = first[i] = i;
    length[i] = 1;
  }
  const most = Math.min(limit, MOST_BYTES);
  let out = new Uint8Array(Math.min(most, Math.max(4096, input.length * 4)));
  let size = 0;
  let [at, held, heldBits] = [0, 0, 0];
  let [bits, next, previous] = [LEAST_BITS, FIRST, -1];
  while (size < most) {
    while (heldBits < bits && at < input.length) {
      held = ((held << 8) | input[at++]!) & 0xffffff;
      heldBits += 8;
    }
    if (heldBits < bits) break;
    heldBits -= bits;
    const code = (held >> heldBits) & ((1 << bits) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      [bits, next, previous] = [LEAST_BITS, FIRST, -1];
      continue;
    }
    const isDefined = code < CLEAR || (code >= FIRST && code < next);
    if (!isDefined && (code !== next || previous < 0)) throw new RangeError(`LZW code ${code} is not in use`);
    if (previous >= 0) {
      if (next === MOST_CODES) throw new RangeError('LZW codes run out');
      prefix[next] = previous;
      first[next] = first[previous]!;
      last[next] = first[isDefined ? code : previous]!;
      length[next] = length[previous]! + 1;
      next++;
    }
    const end = size + length[code]!;
    if (end > out.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(most, out.length * 2)));
      larger.set(out);
      out = larger;
    }
    let to = end;
    for (let c = code; to > size; c = prefix[c]!) out[--to] = last[c]!;
    size = end;
    previous = code;
    if (next + 1 >= 1 << bits && bits < MOST_BITS) bits++;
  }
  return out.slice(0, Math.min(size, most));
}
