import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Resource } from '../resource.ts';

/** Folders of its built script: beside the sources, and beside dist/ for a compiled server. */
const SCRIPTS = ['../../../web/dist/answer/answer.js', '../../../../web/dist/answer/answer.js'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif }
body { margin: 8px }
svg { width: 100%; height: auto; border: 1px solid #8888; border-radius: 4px }
svg text { fill: currentColor; font-size: 13px }
.area { fill: #3a7bd540; stroke: #3a7bd5 }
.place { fill: #d5502f; stroke: white; stroke-width: 2 }
.scale { stroke: currentColor; stroke-width: 2 }
ol { margin: 8px 0; padding-left: 24px }
`;

/** The page: it loads nothing, so that it needs nothing of the sandbox that a host puts it into. */
const pageOf = (script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Map of an answer</title><style>${STYLE}</style></head><body><p>The map comes with the answer.</p><script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`;

/** The address of the page, for tools whose answers it shows. */
const ANSWER_MAP = 'ui://plat/answer-map';

/** The map of an answer, which a client shows beside it (MCP Apps); absent where the pages are not built. */
export function answerMapResource(): Resource | null {
  const file = SCRIPTS.find(path => existsSync(path));
  if (file === undefined) return null;
  let page: string | undefined;
  return {
    name: 'answer-map',
    title: 'Map of an answer',
    description: 'Shows places and areas of an answer on a map inside the chat.',
    mimeType: 'text/html;profile=mcp-app',
    uri: ANSWER_MAP,
    isPage: true,
    read() {
      page ??= pageOf(readFileSync(file, 'utf8'));
      return page;
    },
  };
}
