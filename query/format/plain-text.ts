/**
 * Runs of characters that move what follows them or that nobody sees: line breaks of every kind and other controls,
 * bidirectional and zero-width marks, fillers, variation selectors, tags and half surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** Writes a text on one line: a run of line breaks, bidirectional, zero-width or other controls becomes a space. */
export const plainLine = (text: string): string => text.replace(UNSEEN, ' ');

/**
 * Writes such characters as JSON escapes (`\u202e`), except line feeds and tabs. A JSON document keeps its meaning,
 * because they stand only inside its strings.
 */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, run =>
    run.replace(/[^\n\t]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
