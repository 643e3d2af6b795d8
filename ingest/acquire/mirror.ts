import { resolve } from 'node:path';

/** The folder or server that replaces a host. */
interface Target {
  readonly kind: 'folder' | 'server';
  readonly at: string;
}

/** Replaces the hosts of publishers by folders or other servers. */
export interface Mirror {
  /** The address to ask instead, or the file to read; the same address where no rule fits. */
  swapped(url: URL): { readonly url: URL } | { readonly file: string };
}

/** A mirror without rules: every request goes to the publisher. */
export const NO_MIRROR: Mirror = { swapped: url => ({ url }) };

/** Characters that a file name of a mirror must not have. A query is part of the name. */
const UNSAFE = /[^\w.=&,+@%~-]/g;

/** Returns the file name of an address in a mirror folder: its path, followed by `@` and the query if there is one. */
function pathOf(url: URL): string {
  const parts = decodeURIComponent(url.pathname)
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..');
  const last = parts.pop() ?? 'index.html';
  const name = url.search === '' ? last : `${last}@${url.search.slice(1)}`;
  return [...parts, name].map(part => part.replaceAll(UNSAFE, '_')).join('/');
}

/**
 * Reads the setting PLAT_MIRROR: rules `HOST=TARGET` separated by commas. The first rule that matches counts. HOST is a name or
 * `*`; TARGET is a folder or an http address. The path of the file is appended to TARGET; for `*` the host comes before it.
 * With `*=/mnt/mirror` the file https://www2.census.gov/a/b.zip is /mnt/mirror/www2.census.gov/a/b.zip.
 * @throws RangeError naming the rule that cannot be read.
 */
export function parseMirror(text: string): Mirror {
  const rules = text
    .split(',')
    .map(rule => rule.trim())
    .filter(Boolean)
    .map((rule): { host: string; target: Target } => {
      const [, host, at] = /^([^=\s]+)=(.+)$/.exec(rule) ?? [];
      if (!host || !at) throw new RangeError(`"${rule}" is no rule; expected HOST=FOLDER or HOST=http://SERVER`);
      const isServer = /^https?:\/\//.test(at);
      if (isServer && !URL.canParse(at)) throw new RangeError(`"${at}" is no address`);
      return { host: host.toLowerCase(), target: { kind: isServer ? 'server' : 'folder', at: at.replace(/\/+$/, '') } };
    });
  if (rules.length === 0) return NO_MIRROR;
  return {
    swapped(url) {
      const rule = rules.find(({ host }) => host === '*' || host === url.hostname || host === url.host);
      if (!rule) return { url };
      const { host, target } = rule;
      const before = host === '*' ? `/${url.hostname}` : '';
      if (target.kind === 'server') return { url: new URL(`${target.at}${before}${url.pathname}${url.search}`) };
      return { file: resolve(target.at, `.${before}`, pathOf(url)) };
    },
  };
}
