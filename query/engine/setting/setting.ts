import { BlockList, isIP } from 'node:net';
import { secretFault } from './secret-strength.ts';

/** One setting: an environment variable with the same flag (`PLAT_WORKERS` → `--workers`). */
export interface Setting<T> {
  readonly variable: string;
  readonly meaning: string;
  /** As printed by `plat settings`. */
  readonly fallback: string;
  readonly secret?: boolean;
  /** @throws RangeError saying what was expected. */
  readonly parse: (text: string | undefined) => T;
}

/** @param read a text that was given; one that was not, or is empty, stands for `unset`. */
const setting = <T>(
  { variable, meaning, ...more }: Omit<Setting<T>, 'parse' | 'fallback'> & { readonly fallback?: string },
  unset: T,
  read: (text: string) => T,
): Setting<T> => ({
  variable,
  meaning,
  fallback: unset === null ? '' : String(unset),
  ...more,
  parse: text => (text === undefined || text === '' ? unset : read(text)),
});

/**
 * A whole number in a range, both ends included.
 * @throws RangeError, when it is read, naming the variable and the range.
 */
export const integer = (
  variable: string,
  fallback: number,
  low: number,
  high: number,
  meaning: string,
): Setting<number> =>
  setting({ variable, meaning }, fallback, text => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high)
      throw new RangeError(`${variable}=${text}: expected a whole number from ${low} to ${high}`);
    return value;
  });

/** Any text. */
export const text = (variable: string, fallback: string, meaning: string): Setting<string> =>
  setting({ variable, meaning }, fallback, value => value);

/** Any text that is never shown; empty when it is not given. */
export const hiddenText = (variable: string, meaning: string): Setting<string> =>
  setting({ variable, meaning, secret: true }, '', value => value);

/**
 * A secret of at least 32 characters; null when it is not given.
 * @throws RangeError, when it is read, naming the variable and not the secret.
 */
export const secret = (variable: string, meaning: string): Setting<string | null> =>
  setting<string | null>(
    { variable, meaning, fallback: '(made and kept in PLAT_HOME/secrets)', secret: true },
    null,
    value => {
      const fault = secretFault(value);
      if (fault !== null) throw new RangeError(`${variable}: ${fault}`);
      return value;
    },
  );

/**
 * `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks); null when it is not given.
 * @throws RangeError, when it is read, naming the variable and not the secret.
 */
export const signingSecret = (variable: string, meaning: string): Setting<string | null> =>
  setting<string | null>({ variable, meaning, secret: true }, null, value => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
    const bytes = Buffer.from(base64, 'base64').length;
    if (bytes < 24 || bytes > 64)
      throw new RangeError(`${variable}: expected whsec_ and 24 to 64 bytes in base64, not ${bytes}`);
    return value;
  });

/**
 * One of several words.
 * @throws RangeError, when it is read, naming the variable and the words.
 */
export const choice = <T extends string>(
  variable: string,
  fallback: T,
  choices: readonly T[],
  meaning: string,
): Setting<T> =>
  setting({ variable, meaning: `${meaning} One of: ${choices.join(', ')}.` }, fallback, value => {
    if (!choices.includes(value as T))
      throw new RangeError(`${variable}=${value}: expected one of ${choices.join(', ')}`);
    return value as T;
  });

/**
 * A URL without user and password; empty when it is not given.
 * @throws RangeError, when it is read, naming the variable and not the URL.
 */
export const url = (variable: string, fallback: string, meaning: string): Setting<string> =>
  setting({ variable, meaning }, fallback, value => {
    const parsed = URL.parse(value);
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
      throw new RangeError(`${variable}: expected an http:// or https:// URL without user and password`);
    return value;
  });

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of map tiles, with their place as {z}, {x} and {y}; empty when it is not given.
 * @throws RangeError, when it is read, naming the variable and not the address, which may hold a key.
 */
export const tileAddress = (variable: string, meaning: string): Setting<string> =>
  setting({ variable, meaning }, '', value => {
    const parsed = URL.parse(value);
    const isSecure = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.test(parsed.hostname));
    const hasPlace = ['{z}', '{x}', '{y}'].every(part => value.includes(part) && !parsed?.host.includes(part));
    if (!parsed || !isSecure || parsed.username || parsed.password || !hasPlace)
      throw new RangeError(
        `${variable}: expected an https:// address with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.jpg (http:// only for this machine)`,
      );
    return value;
  });

/** Whether a text is an address or a network such as 10.0.0.0/8, as a list of trusted ones is read. */
function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  if (bits === undefined) return true;
  try {
    new BlockList().addSubnet(address, /^\d{1,3}$/.test(bits) ? Number(bits) : -1, version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

/** Texts by commas, of which blank ones are passed over. @throws RangeError of the first that is wrong. */
const list = (
  variable: string,
  meaning: string,
  isWrong: (text: string) => boolean,
  expected: string,
): Setting<readonly string[]> =>
  setting<readonly string[]>({ variable, meaning }, [], value => {
    const texts = value.split(',').flatMap(text => text.trim() || []);
    const wrong = texts.find(isWrong);
    if (wrong !== undefined) throw new RangeError(`${variable}: expected ${expected}, got ${wrong}`);
    return texts;
  });

/**
 * Addresses and networks by commas.
 * @throws RangeError, when it is read, naming the variable and what is no address.
 */
export const networks = (variable: string, meaning: string): Setting<readonly string[]> =>
  list(variable, meaning, text => !isNetwork(text), 'addresses or networks such as 10.0.0.0/8, by commas');

/**
 * Origins of pages by commas, or `*`.
 * @throws RangeError, when it is read, naming the variable and what is no origin.
 */
export const origins = (variable: string, meaning: string): Setting<readonly string[]> =>
  list(
    variable,
    meaning,
    text => text !== '*' && (!/^https?:/.test(text) || URL.parse(text)?.origin !== text),
    'origins such as https://app.example.org, by commas, or *',
  );

/**
 * Where somebody is reached, by commas.
 * @throws RangeError, when it is read, naming the variable and what reaches nobody.
 */
export const contacts = (variable: string, meaning: string): Setting<readonly string[]> =>
  list(
    variable,
    meaning,
    text => !/^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(text) || URL.parse(text) === null,
    'contacts such as mailto:security@example.org or https://example.org/report, by commas',
  );

/**
 * A URL that others trust what they read from: https, but for this machine. No slash at its end is kept.
 * @throws RangeError, when it is read, naming the variable and what was expected.
 */
export const trustedUrl = (variable: string, meaning: string, form: 'issuer' | 'origin'): Setting<string> =>
  setting({ variable, meaning }, '', value => {
    const parsed = URL.parse(value);
    const secure = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.test(parsed.hostname));
    if (!parsed || !secure || parsed.username || parsed.password || parsed.search || parsed.hash)
      throw new RangeError(
        `${variable}: expected an https:// URL without user, password, query and fragment (http:// only for this machine)`,
      );
    if (form === 'origin' && parsed.pathname !== '/')
      throw new RangeError(`${variable}: expected a URL without a path, such as https://plat.example.org`);
    return form === 'origin' ? parsed.origin : value;
  });

/**
 * The URL of a mail server, which may hold a password and is never shown; empty when it is not given.
 * @throws RangeError, when it is read, naming the variable and not the URL.
 */
export const mailServer = (variable: string, meaning: string): Setting<string> =>
  setting({ variable, meaning, secret: true }, '', value => {
    const parsed = URL.parse(value);
    // What was given may hold a password, so it is not repeated.
    if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
      throw new RangeError(`${variable}: expected smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT`);
    return value;
  });

const STORE = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[^?#]*)?|file:\/\/\/.*|(?![a-z][a-z0-9+.-]*:\/).+)$/i;

/**
 * The address of a store of releases; empty when it is not given.
 * @throws RangeError, when it is read, naming the variable and what was expected.
 */
export const storeAddress = (variable: string, meaning: string): Setting<string> =>
  setting({ variable, meaning }, '', value => {
    if (STORE.test(value)) return value;
    throw new RangeError(`${variable}=${value}: expected s3://bucket/prefix, file:///folder or the path of a folder`);
  });
