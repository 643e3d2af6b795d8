// Notes and refusals are written for programs and people alike. What only a program can use is taken out before a page shows them.

/** Names in brackets: layers, columns and fields, with what asks for them. */
const NAMES = / \((?:by )?[A-Za-z]\w*(?:[:;]\w+)*(?:, [A-Za-z]\w*(?:[:;]\w+)*)*\)/g;
/** Conditions on columns in brackets. */
const CONDITIONS = / \(\w+ (?:like|in|is|not|between|[=<>!]+) .*?\)(?=[.;, ]|$)/g;
/** What a release has no data of, in the reason of a failure. */
const NOT_INSTALLED = /data of ([^;]+?) is not installed in this release/g;
/** A layer or a product that is named without brackets. */
const BARE = /\b(?:synthetic|[a-z]+(?:_[a-z0-9]+)+):[A-Za-z_]\w*(?:;[\w:]+)*/g;
/** What only a program can follow: paths, headers, parts of a body, names of fields, settings and commands. */
const FOR_PROGRAMS =
  /\/v1\/|\b(?:GET|POST|PUT|DELETE) \/|\b[a-z]+(?:_[a-z0-9]+)+\b|\bRetry-After\b|\bAuthorization\b|`|\b\w+\[\d+\]|\bPLAT_[A-Z]|\bplat [a-z]+ [a-z]+\b/;

/** Moments, which people read as days. */
const MOMENTS = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const dayOf = (moment: string): string =>
  new Date(moment).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A sentence with its capital; an address of the web has none. */
const capital = (text: string): string => (/^https?:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** Names that may stand for themselves, such as `lat`: what they are called on the page. */
const unquoted = (text: string): string => text.replace(/`([a-z]+)`/g, '$1');

/**
 * A note or a message in words for people: sentences and clauses for programs are left out, and so are names of layers and columns.
 * Empty where nothing else is in it. Pure.
 * @param text of the API.
 */
export function pageWords(text: string): string {
  const named = unquoted(
    text.replaceAll(NAMES, '').replaceAll(CONDITIONS, '').replaceAll(BARE, 'its source').replaceAll(MOMENTS, dayOf),
  );
  const sentences = named
    .split(/(?<=[.!?]) +(?=\p{Lu})/u)
    .map(sentence => {
      if (!FOR_PROGRAMS.test(sentence)) return sentence;
      const clauses = sentence.split(/(?<=[;:]) /);
      const first = clauses.findIndex(clause => FOR_PROGRAMS.test(clause));
      const rest = clauses.slice(0, first).join(' ').replace(/[;:]$/, '');
      return rest === '' ? '' : `${rest}.`;
    })
    .filter(sentence => sentence !== '');
  return [...new Set(sentences)].map(capital).join(' ').replace(/ {2,}/g, ' ').trim();
}

/** Why there is no data for a value, in words for people: what is missing, without the way by which it is missed. */
export function lackWords(text: string): string {
  const words = pageWords(text);
  const missing = [...new Set([...words.matchAll(NOT_INSTALLED)].map(([, what]) => what!.replace(/ \(\d+\)$/, '')))];
  return missing.length === 0 ? words : `no data of ${missing.join(' and ')}`;
}

/** When a map or table is of, as people read it. */
export const dateWords = (vintage: string): string => (vintage === 'synthetic' ? 'made-up data, of no date' : vintage);
