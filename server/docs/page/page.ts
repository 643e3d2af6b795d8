import { createHash } from 'node:crypto';
import { ERRORS, type ErrorCode } from '../../errors/registry.ts';
import { html, Markup } from '../../http/markup.ts';
import { callsOf, type DescribedApi } from './described.ts';
import { exampleMaker } from './example.ts';
import { exampleBodies } from './example-bodies.ts';
import type { ExamplePlace } from './example-place.ts';
import { SCRIPT, STYLE } from './look.ts';
import { operationSection, prose, sample } from './operation-section.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The policy of a page with one style and one script, which stand in it and are known by their digests; nobody frames it.
 * @param more directives, such as what it may load.
 */
export const policyOf = (style: string, script: string, ...more: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    ...more,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The reference loads nothing. */
export const PAGE_POLICY = policyOf(STYLE, SCRIPT);

/** What an example needs once. @param origin what the outside calls the server. */
const setup = (origin: string): string =>
  [
    `export PLAT_URL=${origin}`,
    'export PLAT_TOKEN=$(./plat token create --account you@example.org)',
    'export PLAT_SESSION=$(./plat session create --account you@example.org)',
  ].join('\n');

/** Every error code with what it means. */
const errorTable = (): Markup => html`<div class="scroll"><table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Again?</th><th scope="col">Meaning</th></tr></thead>
<tbody>${(Object.keys(ERRORS) as ErrorCode[]).map(
  code => html`<tr id="error-${code}"><td><code>${code}</code></td><td>${ERRORS[code].status}</td><td>${
    ERRORS[code].retryable ? 'yes' : 'no'
  }</td><td>${prose(ERRORS[code].meaning)}</td></tr>
`,
)}</tbody></table></div>`;

/**
 * The reference of the API as one page: every operation with an example that works when pasted, its parameters, body, answer
 * and errors.
 * @param place that the examples are about; null where none is known.
 * @param origin what the outside calls the server, without a slash at its end.
 */
export function docsPage(api: DescribedApi, place: ExamplePlace | null, origin: string): string {
  const calls = callsOf(api);
  const exampleOf = exampleMaker(calls, exampleBodies(place));
  const tags = (api.tags ?? [])
    .map(tag => ({ ...tag, calls: calls.filter(call => call.tags?.includes(tag.name)) }))
    .filter(tag => tag.calls.length > 0);
  const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
  const [summary = '', ...more] = (api.info.description ?? '').split('\n\n');
  const first = { text: setup(origin), status: '', note: null };
  const about =
    place === null
      ? 'The examples are about a place that this server may know nothing of.'
      : 'The examples are about a place of the release that is open now.';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${api.info.title} API</title>
<link rel="icon" href="/plat.svg" type="image/svg+xml">
<style>${new Markup(STYLE)}</style>
<script>${new Markup(SCRIPT)}</script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><a class="brand" href="/">${api.info.title}</a><a href="/docs">Documentation</a><a href="/v1/openapi.json">OpenAPI 3.1</a><a href="/llms.txt">llms.txt</a><a href="/console">Console</a></header>
<div class="frame">
<nav aria-label="Operations" tabindex="0"><ul><li><a href="#start">Start here</a></li></ul>
${tags.map(
  tag => html`<h2>${tag.name}</h2><ul>${tag.calls.map(
    call => html`<li><a href="#${call.operationId}">${call.summary ?? call.path}</a></li>`,
  )}</ul>
`,
)}<h2>Beside them</h2><ul><li><a href="#errors">Error codes</a></li></ul></nav>
<main id="content">
<h1 id="start">${api.info.title} API</h1>
${prose(summary)}
${more.map(prose)}
<p>Set these once, on the machine of the server; elsewhere a token comes from the <a href="/console">console</a>. The session is for the
operations of an account alone. Then every example works in bash when it is pasted. Those in TypeScript
use the package <code>@plat/client</code>, those in Python the file <code>plat.py</code>. ${about}</p>
${sample(first, 'What every example needs')}
${tags.map(
  tag => html`<h2 id="${idOf(tag.name)}">${tag.name}</h2>
${prose(tag.description ?? '')}
${tag.calls.map(call => operationSection(call, exampleOf(call), api.components.schemas))}`,
)}
<h2 id="errors">Error codes</h2>
<p>Most refusals are <code>{"detail": {"error": CODE, "message": TEXT, "retryable": BOOLEAN}}</code>. A body of the wrong shape has a list under
<code>detail</code> instead; a wrong search, field request or proximity request has one beside its code: <a href="/docs/errors#three-shapes">the
three shapes</a>. Codes that can be tried again send <code>Retry-After</code>.</p>
${errorTable()}
</main>
</div>
</body>
</html>
`.text;
}
