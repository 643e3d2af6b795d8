import { randomBytes } from 'node:crypto';

/** Most ids of one millisecond; the next one is of the millisecond after it. */
const MOST = 0xfff;

/**
 * Makes ids of tokens: UUIDs that sort by time, and those of one millisecond in the order of the calls (version 7 with a
 * counter, RFC 9562, 5.7 and 6.2). Tokens store whole seconds, so without this those of one second have no order.
 */
export function tokenIds(): (now: number) => string {
  let ms = 0;
  let count = 0;
  return now => {
    const isLater = Math.floor(now) > ms;
    if (isLater) ms = Math.floor(now);
    else if (count === MOST) ms++;
    count = isLater || count === MOST ? 0 : count + 1;
    const random = randomBytes(8);
    random[0] = (random[0]! & 0x3f) | 0x80;
    const hex = `${ms.toString(16).padStart(12, '0')}7${count.toString(16).padStart(3, '0')}${random.toString('hex')}`;
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
}
