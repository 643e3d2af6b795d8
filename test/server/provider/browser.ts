import type { FastifyInstance } from 'fastify';
import { secret } from '../../security/logged.ts';

/** A page, or the redirect that leads away from the server. */
export interface Visit {
  readonly status: number;
  readonly url: URL;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** A browser without scripts: it keeps cookies by path, follows redirects on this server and sends the first form of a page. */
export class Browser {
  readonly #app: FastifyInstance;
  readonly #origin: string;
  readonly cookies = new Map<string, Cookie>();
  /** The page that it shows. */
  at: Visit | null = null;

  readonly #from: string;
  readonly #behind: string | undefined;

  /** @param from address of the machine that it runs on, or of the proxy that it is behind with its own address. */
  constructor(app: FastifyInstance, origin: string, from = '127.0.0.1', behind?: string) {
    this.#app = app;
    this.#origin = origin;
    this.#from = from;
    this.#behind = behind;
  }

  /** The same browser, its cookies and its page, at another address behind the proxy. */
  elsewhere(behind: string): Browser {
    const browser = new Browser(this.#app, this.#origin, this.#from, behind);
    for (const [name, cookie] of this.cookies) browser.cookies.set(name, cookie);
    browser.at = this.at;
    return browser;
  }

  /** Loses a cookie and its signature. */
  forget(name: string): void {
    for (const each of [name, `${name}.sig`]) this.cookies.delete(each);
  }

  async #ask(method: 'GET' | 'POST', url: URL, form?: Readonly<Record<string, string>>): Promise<Visit> {
    for (const key of ['password', 'code']) secret(form?.[key] ?? url.searchParams.get(key) ?? '');
    const cookie = [...this.cookies]
      .filter(([, { path }]) => url.pathname === path || url.pathname.startsWith(path === '/' ? '/' : `${path}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const reply = await this.#app.inject({
      method,
      remoteAddress: this.#from,
      url: url.pathname + url.search,
      headers: {
        cookie,
        accept: 'text/html',
        ...(this.#behind === undefined ? {} : { 'x-forwarded-for': this.#behind }),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      const [pair, ...attributes] = line.split(';').map(part => part.trim());
      const [name, value] = pair!.split('=') as [string, string];
      secret(value);
      const path = attributes.find(part => /^path=/i.test(part))?.slice(5) ?? '/';
      if (value === '' || attributes.some(part => /^expires=Thu, 01 Jan 1970/i.test(part))) this.cookies.delete(name);
      else this.cookies.set(name, { value, path });
    }
    return { status: reply.statusCode, url, headers: reply.headers, text: reply.body };
  }

  async #follow(visit: Visit): Promise<Visit> {
    let here = visit;
    while (typeof here.headers.location === 'string') {
      const next = new URL(here.headers.location, here.url);
      if (next.origin !== this.#origin) return { ...here, url: next };
      here = await this.#ask('GET', next);
    }
    this.at = here;
    return here;
  }

  /** Opens an address, absolute or of this server. */
  async open(url: string): Promise<Visit> {
    return this.#follow(await this.#ask('GET', new URL(url, this.#origin)));
  }

  /** Sends the form of the page that is shown, hidden fields included. */
  async send(fields: Readonly<Record<string, string>>): Promise<Visit> {
    const { text, url } = this.at!;
    const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const form = { ...Object.fromEntries(hidden.map(match => [match[1]!, match[2]!])), ...fields };
    return this.#follow(await this.#ask('POST', new URL(action ?? '', url), form));
  }
}

/** The session that the page after a sign-in shows. */
export const sessionOn = (visit: Visit): string => {
  const session = /<textarea[^>]*name="session"[^>]*>([^<]+)</.exec(visit.text)?.[1];
  if (!session) throw new Error(`no session: ${visit.status} ${visit.text}`);
  return secret(session);
};
