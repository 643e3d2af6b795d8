import { readFileSync } from 'node:fs';
import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import type { Receipt } from '../receipts/document.ts';
import type { PublishedKey } from '../receipts/keys.ts';
import type { Difference } from '../verification/differences.ts';

const MOST_SHOWN = 50;
/** Exit codes: all that was checked is right, something could not be checked that matters, something is wrong. */
const [RIGHT, UNCHECKED, WRONG] = [0, 1, 3];

/** The bytes of a file that a flag names; null without one. @throws UsageError. */
function fileOf(flag: unknown): Buffer | null {
  if (typeof flag !== 'string') return null;
  try {
    return readFileSync(flag);
  } catch (error) {
    throw new UsageError(`verify: ${flag} cannot be read: ${(error as Error).message}`);
  }
}

/** JSON that has some keys. @throws UsageError that says what was expected. */
function jsonWith<T>(bytes: Buffer, keys: readonly string[], what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = null;
  }
  const isIt = typeof value === 'object' && value !== null && keys.every(key => Object.hasOwn(value, key));
  if (!isIt) throw new UsageError(`verify: expected ${what}, a JSON object with ${keys.join(', ')}`);
  return value as T;
}

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const lineOf = (difference: Difference): string => {
  const { path, is } = difference;
  if (!('was' in difference)) return `  ${path}: it is ${shown(is)} now`;
  return `  ${path}: it was ${shown(difference.was)}, it is ${shown(is)} now`;
};

/** `plat verify`. */
export const verifyCommand: Command = {
  name: 'verify',
  example: 'plat verify receipt.json --keys receipt-keys.json --answer answer.json',
  summary: 'Check the receipt of an answer, and compute the answer again from the release: equal, or where not',
  args: ['<receipt>'],
  options: [
    { flags: '--keys <file>', description: 'The public keys: what /.well-known/receipt-keys.json answered.' },
    {
      flags: '--answer <file>',
      description: 'The answer, to be held against the receipt: differences have both values.',
    },
    { flags: '--request <file>', description: 'The body that was sent, where it was too long for the receipt.' },
  ],
  async run([file], options, terminal) {
    const settings = readSettings(process.env);
    const whole = ['receipt_id', 'request', 'answer', 'release', 'engine', 'key_id', 'signature'];
    const receipt = jsonWith<Receipt>(fileOf(file)!, whole, 'a receipt');
    const published = fileOf(options.keys);
    const keys = published && jsonWith<{ keys: readonly PublishedKey[] }>(published, ['keys'], 'public keys').keys;
    const [answer, body] = [fileOf(options.answer), fileOf(options.request)];
    for (const bytes of [answer, body]) if (bytes) jsonWith(bytes, [], 'a body of JSON');
    const [{ verifyReceipt }, { VERSION: version }] = await Promise.all([
      import('../verification/verification.ts'),
      import('../version.ts'),
    ]);
    const { checks, differences } = await verifyReceipt(receipt, { home: settings.home, version, keys, answer, body });
    if (terminal.json) terminal.out(JSON.stringify({ receipt_id: receipt.receipt_id, checks, differences }));
    else {
      const words = new Map([
        [true, 'right'],
        [false, 'WRONG'],
        [null, 'open'],
      ]);
      for (const { what, right, says } of checks)
        terminal.out(`${what.padEnd(14)} ${words.get(right)!.padEnd(6)} ${says}`);
      for (const difference of differences.slice(0, MOST_SHOWN)) terminal.out(lineOf(difference));
      if (differences.length > MOST_SHOWN) terminal.out(`  and ${differences.length - MOST_SHOWN} more`);
    }
    if (checks.some(({ right }) => right === false)) return WRONG;
    const isDone = checks.some(({ what, right }) => what === 'recomputation' && right === true);
    return isDone ? RIGHT : UNCHECKED;
  },
};
