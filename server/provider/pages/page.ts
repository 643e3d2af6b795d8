import { createHash } from 'node:crypto';
import { html, Markup } from '../../http/markup.ts';

/** The style of the explorer and the console, as far as forms need it. */
const STYLE = `:root{color-scheme:light dark;--paper:#fdfcfa;--card:#fff;--ink:#22262a;--soft:#5d5f5c;--line:#e3ded3;--edge:#8d887c;--accent:#0f5c63;--on:#fff;--wrong:#9a3412}
@media(prefers-color-scheme:dark){:root{--paper:#171a1d;--card:#1e2226;--ink:#e8e5de;--soft:#a9a79f;--line:#31363b;--edge:#7b8187;--accent:#6fcdd4;--on:#0c2427;--wrong:#f3a06f}}
*{box-sizing:border-box}body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;margin:0;padding:8vh 1rem 2rem;color:var(--ink);background:var(--paper)}
.brand{display:block;width:max-content;margin:0 auto 1.25rem;font-weight:680;font-size:1.15rem;letter-spacing:-.01em;color:inherit;text-decoration:none}
main{max-width:27rem;margin:0 auto;padding:1.6rem 1.7rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{font-size:1.25rem;line-height:1.3;letter-spacing:-.01em;margin:0 0 .8rem}p{margin:.8rem 0}p:last-child{margin-bottom:0}a{color:var(--accent)}
label{display:block;margin:1rem 0;font-size:.9rem;color:var(--soft)}input:not([type=hidden]),textarea{display:block;width:100%;margin-top:.25rem;font:inherit;font-size:1rem;color:var(--ink);background:var(--paper);padding:.5rem .65rem;border:1px solid var(--edge);border-radius:8px}
textarea{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.85rem;word-break:break-all}button{font:inherit;font-weight:550;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on);cursor:pointer}
button.second{background:none;border-color:var(--edge);color:var(--ink);font-weight:400}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.wrong{border-left:3px solid var(--wrong);padding-left:.75rem;color:var(--wrong)}code{word-break:break-all}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * The policy of pages: nothing is loaded, no script runs, no page may frame them.
 * @param next another target of the form: browsers apply the policy to redirects after it too.
 * @param script whether scripts of this server may run.
 */
export const contentSecurityPolicy = (next: string | null = null, script = false): string =>
  `default-src 'none';${script ? " script-src 'self';" : ''} style-src 'sha256-${STYLE_HASH}'; form-action 'self'${next === null ? '' : ` ${next}`}; base-uri 'none'; frame-ancestors 'none'`;

/** Headers of every page. @param next, script as of contentSecurityPolicy. */
export const pageHeaders = (next: string | null = null, script = false): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(next, script),
  // URLs of pages contain codes.
  'referrer-policy': 'no-referrer',
});

/** A source of a Content-Security-Policy that is a scheme, a host and a port. Nothing else stands in it as it is. */
const HOST_SOURCE = /^https?:\/\/[a-z\d._-]+(?::\d+)?$/;
const SCHEME_SOURCE = /^[a-z][a-z\d+.-]*:$/;

/**
 * The source of a redirect URI for a Content-Security-Policy: its origin, or its scheme when it has no origin or one that
 * no policy can name, as addresses of IPv6 are. Null when neither can be named.
 */
export function sourceOf(redirectUri: unknown): string | null {
  const url = typeof redirectUri === 'string' ? URL.parse(redirectUri) : null;
  if (!url) return null;
  if (HOST_SOURCE.test(url.origin)) return url.origin;
  const hasName = /^https?:$/.test(url.protocol) && !url.hostname.startsWith('[');
  return !hasName && SCHEME_SOURCE.test(url.protocol) ? url.protocol : null;
}

/** A complete page that works without scripts. */
export const page = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Plat</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><a class="brand" href="/">Plat</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;

/** An error message above a form. */
export const wrong = (message: string | null): Markup =>
  message === null ? html`` : html`<p class="wrong" role="alert">${message}</p>`;
