import { createHash } from 'node:crypto';

/** Markup whose values were escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (value: unknown): string =>
  value instanceof Markup
    ? value.text
    : Array.isArray(value)
      ? value.map(escaped).join('')
      : String(value ?? '').replace(/[&<>"']/g, character => ENTITIES[character]!);

/** HTML with every value escaped that is not markup itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(String.raw({ raw: parts }, ...values.map(escaped)));

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.4rem}label{display:block;margin:1rem 0}input:not([type=hidden]),textarea{box-sizing:border-box;display:block;width:100%;font:inherit;padding:.5rem;border:1px solid #767676;border-radius:4px}
textarea{font-family:monospace;word-break:break-all}button{font:inherit;padding:.5rem 1rem;border:0;border-radius:4px;background:#0b5cad;color:#fff;cursor:pointer}
button.second{background:#e8e8e8;color:#1a1a1a}.wrong{border-left:4px solid #b3261e;padding-left:.75rem}code{word-break:break-all}
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}input,textarea{background:#222;color:#eee}a{color:#8ab8ff}}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Nothing is loaded, nothing runs, nobody frames it.
 * @param next where a form may lead beside this server: browsers hold redirects after it to the same rule.
 */
export const contentSecurityPolicy = (next: string | null = null): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'${next === null ? '' : ` ${next}`}; base-uri 'none'; frame-ancestors 'none'`;

/** Headers of every page. @param next as of contentSecurityPolicy. */
export const pageHeaders = (next: string | null = null): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy(next),
  // Addresses of pages carry codes.
  'referrer-policy': 'no-referrer',
});

/** The source of a redirect URI in a Content-Security-Policy: its origin, or its scheme where it has no origin. */
export function sourceOf(redirectUri: unknown): string | null {
  const url = typeof redirectUri === 'string' ? URL.parse(redirectUri) : null;
  if (!url) return null;
  return url.origin === 'null' ? url.protocol : url.origin;
}

/** A whole page that works without scripts. */
export const page = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Plat</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`.text;

/** What went wrong, above a form. */
export const wrong = (message: string | null): Markup =>
  message === null ? html`` : html`<p class="wrong" role="alert">${message}</p>`;
