/** What a test file has made that no log may hold, and what it has logged. One for setup and tests, whoever loads this first. */
interface Watched {
  readonly secrets: Set<string>;
  readonly text: string[];
}
const KEY = Symbol.for('plat.logged');
const shared = globalThis as { [KEY]?: Watched };
shared[KEY] ??= { secrets: new Set(), text: [] };
const watched: Watched = shared[KEY];

/** Shorter texts stand in many lines by chance. */
const SHORTEST = 8;

/** Remembers a secret that a test made: a token, a session, a code, a password. @returns it. */
export function secret<T extends string | undefined>(text: T): T {
  if (text !== undefined && text.length >= SHORTEST) watched.secrets.add(text);
  return text;
}

/** Remembers what was logged. */
export const heard = (text: string): void => {
  watched.text.push(text);
};

/** What secrets look like, whoever made them: what no test has remembered is found by these. */
const LOOKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a token', /eyJ[\w-]{8,}\.[\w-]{4,}/],
  ['a credential', /\b(?:Bearer|Basic) +[\w+/=.-]{12,}/],
  ['a password as it is kept', /\$scrypt\$/],
  ['a private key', /BEGIN [A-Z ]*PRIVATE KEY|"d":"[\w-]{40,}"/],
  ['a code of a link', /[?&]code=[\w-]{16,}/],
  ['a URL with a password', /\b\w+:\/\/[^\s/:@"]+:[^\s/@"]+@/],
];

/** What of secrets stands in a text: how it looks, or who made it, never the secret itself. */
export function secretsIn(text: string, secrets: Iterable<string> = watched.secrets): string[] {
  const looks = LOOKS.flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));
  const made = [...secrets].flatMap(made => (text.includes(made) ? [`one that begins with ${made.slice(0, 4)}`] : []));
  return [...looks, ...made];
}

/** Takes what was heard so far. */
export const takeHeard = (): string => watched.text.splice(0).join('');

/** Forgets the secrets that were made so far. */
export const forgetSecrets = (): void => watched.secrets.clear();
