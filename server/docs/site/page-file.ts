import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RenderedPage, renderPage } from './markdown.ts';
import { SECTIONS } from './sections.ts';

/** The folder of the project: beside the sources, and beside dist/ for a compiled server. */
const PROJECT = ['../../../', '../../../../']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(folder => existsSync(join(folder, 'docs')));

/** Where a file of the project lies; null where this installation lacks it. @param file its path from the folder of the project. */
export function projectFile(file: string): string | null {
  const path = join(PROJECT ?? '', file);
  return PROJECT !== undefined && existsSync(path) ? path : null;
}

/** Words of Markdown without its marks. */
const withoutMarks = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A page of the documentation. It is rendered when it is first asked for: all of them take a tenth of a second. */
export class PageFile {
  readonly title: string;
  /** Its first sentence. */
  readonly lead: string;
  readonly #text: string;
  readonly #file: string;
  #rendered: RenderedPage | undefined;

  /** @param file its path from the folder of the project. */
  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
    this.title = withoutMarks(/^# (.+)$/m.exec(text)?.[1] ?? file);
    const [paragraph = ''] = text
      .replace(/<!--[\s\S]*?-->/g, '')
      .split(/\n{2,}/)
      .filter(block => /^[\p{L}`[*]/u.test(block));
    this.lead = /^.*?\.(?= |$)/.exec(withoutMarks(paragraph))?.[0] ?? '';
  }

  get rendered(): RenderedPage {
    this.#rendered ??= renderPage(this.#text, this.#file);
    return this.#rendered;
  }
}

function readPageFiles(): ReadonlyMap<string, PageFile> {
  if (PROJECT === undefined) return new Map();
  const there = SECTIONS.flatMap(({ pages }) => pages).filter(({ file }) => existsSync(join(PROJECT, file)));
  return new Map(there.map(({ name, file }) => [name, new PageFile(readFileSync(join(PROJECT, file), 'utf8'), file)]));
}

let files: ReadonlyMap<string, PageFile> | undefined;

/** The pages that files hold, by name, read once; a file that an installation lacks has none. */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  files ??= readPageFiles();
  return files;
}
