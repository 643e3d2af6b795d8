import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { SECTIONS } from './sections.ts';

/** A heading of a page with the text below it. */
export interface PagePart {
  /** Of the heading within the page; empty for what stands before the first one. */
  readonly id: string;
  readonly heading: string;
  /** Without markup. */
  readonly text: string;
}

/** A page of the documentation as it is shown. */
export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly parts: readonly PagePart[];
}

const NAMES = new Map(SECTIONS.flatMap(({ pages }) => pages.map(({ name, file }) => [file, name] as const)));

/** The id of a heading as GitHub makes it, so that links hold in both places. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Text of markup. */
const plainText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();

/** Where a link of a file leads: to a page of the site, or to what it names. @param file that it stands in. */
function addressOf(href: string, file: string): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const name = NAMES.get(target);
  if (name === undefined) return href;
  return `/docs/${name}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Whether a link leads to a file of the project that is no page: it is shown as text, because nothing serves it. */
const isOfProject = (href: string, file: string): boolean =>
  !/^(?:[a-z]+:|#|\/)/i.test(href) && addressOf(href, file) === href;

/** Renders a page of the project's own Markdown. @param file its path from the folder of the project. */
export function renderPage(text: string, file: string): RenderedPage {
  const ids = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const stem = idOf(plainText(inner));
        const before = ids.get(stem) ?? 0;
        ids.set(stem, before + 1);
        const id = before === 0 ? stem : `${stem}-${before}`;
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      link({ href, title, tokens }: Tokens.Link) {
        // A page that is called by its file in the repository is called by its name here.
        const inner = this.parser
          .parseInline(tokens)
          .replace(/^([a-z-]+)\.md$/, (_, name) => name.replaceAll('-', ' '));
        if (isOfProject(href, file)) return inner;
        const named = title ? ` title="${title.replaceAll('"', '&quot;')}"` : '';
        return `<a href="${addressOf(href, file).replaceAll('"', '%22')}"${named}>${inner}</a>`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map(cells => row(cells, 'td')).join('\n');
        return `<div class="scroll"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false }).replace(/<!--[\s\S]*?-->\n?/g, '');
  return { title: plainText(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? file), html, parts: partsOf(html) };
}

/** The parts of a page between its headings. */
function partsOf(html: string): PagePart[] {
  const pieces = html.split(/(?=<h[1-3] id=")/);
  return pieces.flatMap(piece => {
    const [, id = '', heading = ''] = /^<h[1-3] id="([^"]*)">([\s\S]*?)<\/h[1-3]>/.exec(piece) ?? [];
    const text = plainText(piece.replace(/^<h[1-3][\s\S]*?<\/h[1-3]>/, ''));
    return heading === '' && text === '' ? [] : [{ id, heading: plainText(heading), text }];
  });
}
