import { PASSWORD_LENGTH } from './password.ts';

/** The name of the service, which people like to put into its password. */
const SERVICE = 'plat';
/** Letters from which on a part of an address counts as a word of its own. */
const LEAST_WORD = 4;

/** Long enough passwords among the 49,000 that leaks have most often, in small letters. */
let common: Promise<ReadonlySet<string>> | undefined;
const commonPasswords = () => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.least)),
  );
  return common;
};

/** The words that somebody would guess first: of the service and of the person's own address. */
function nearWords(email: string, issuer: string): string[] {
  const parts = [...email.split(/[@.+_-]/), ...(URL.parse(issuer)?.hostname.split('.') ?? [])];
  const words = parts.map(part => part.toLowerCase()).filter(({ length }) => length >= LEAST_WORD);
  return [...new Set([email.toLowerCase(), ...words, SERVICE])].sort((a, b) => b.length - a.length);
}

/**
 * Says what makes a password easy to guess, for the person who chose it.
 * @param issuer the address of the service.
 * @returns null when it is none of the common ones and long enough without the words near at hand.
 */
export async function weakness(password: string, email: string, issuer: string): Promise<string | null> {
  const small = password.toLowerCase();
  if ((await commonPasswords()).has(small))
    return 'This password is among those that were leaked and are tried first. Choose another one.';
  const rest = nearWords(email, issuer).reduce((text, word) => text.replaceAll(word, ''), small);
  if ([...rest].length < PASSWORD_LENGTH.least)
    return `Without your address and the name of the service, a password needs ${PASSWORD_LENGTH.least} characters.`;
  return null;
}
