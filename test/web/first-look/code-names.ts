import type { Page } from 'playwright-core';

/** What only programs read: paths and methods of HTTP, quoted names, parts of a body, names of fields, layers and settings, dotted ids. */
const FOR_PROGRAMS: readonly RegExp[] = [
  /\/v1\/\S*/g,
  /\b(?:GET|POST|PUT|DELETE) \/\S*/g,
  /`[^`]*`?/g,
  /\w+\[\d+\][.\w]*/g,
  /\b[A-Za-z]\w*_\w+\b/g,
  /\b[a-z]\w*:[A-Za-z_]\w*/g,
  /(?<![\w.@/-])[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)+(?![\w.@/-])/g,
  /\b[A-Z][a-z]+Error\b|\bundefined\b|\bNaN\b|\[object \w+\]/g,
];
/** Names that people write with a dot. */
const DOTTED = /^(?:e\.g|i\.e|[a-z]+\.(?:org|gov|com|us|edu))$/;

/** What of a text only programs read. */
export const codeNamesIn = (text: string): string[] => [
  ...new Set(FOR_PROGRAMS.flatMap(pattern => text.match(pattern) ?? []).filter(name => !DOTTED.test(name))),
];

/** All that a page says once everything is opened but what is for programs: text, labels, hints and options. */
export async function wordsOn(page: Page): Promise<string> {
  await page.evaluate(`for (const details of document.querySelectorAll('details'))
    if (!details.closest('.request')) details.open = true;`);
  return (await page.evaluate(`(() => {
    const left = document.body.cloneNode(true);
    // An id of a run is what its owner tells whoever runs the server.
    for (const one of left.querySelectorAll('.request, .combo-list, #connect code, .run code, noscript, script, style')) one.remove();
    const said = [...left.querySelectorAll('*')].flatMap(element =>
      ['aria-label', 'title', 'placeholder', 'alt'].flatMap(name => element.getAttribute(name) ?? []));
    for (const element of left.querySelectorAll('*')) element.append(' ');
    return [left.textContent, ...said].join(' | ');
  })()`)) as string;
}
