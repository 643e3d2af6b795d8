import { resolve } from 'node:path';

/** Where a host's files are taken from instead: a folder, or another server. */
interface Target {
  readonly kind: 'folder' | 'server';
  readonly at: string;
}

/** What stands for publishers' hosts. */
export interface Mirror {
  /** The address to ask instead, or the file to read; the same address where no rule fits. */
  swapped(url: URL): { readonly url: URL } | { readonly file: string };
}

/** Every host is asked itself. */
export const NO_MIRROR: Mirror = { swapped: url => ({ url }) };

/** Characters that no file name of a mirror has; a query is part of the name there. */
const UNSAFE = /[^\w.=&,+@%~-]/g;

/** The name of an address in a folder: its path, with the query behind a `@` where it has one. */
function pathOf(url: URL): string {
  const parts = decodeURIComponent(url.pathname)
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..');
  const last = parts.pop() ?? 'index.html';
  const name = url.search === '' ? last : `${last}@${url.search.slice(1)}`;
  return [...parts, name].map(part => part.replaceAll(UNSAFE, '_')).join('/');
}

/**
 * Reads the setting: rules `HOST=TARGET` between commas, the first that fits counts. HOST is a name or `*`; TARGET a folder
 * or an http address. Behind TARGET stands the path of the file, after `*` the host before it: with `*=/mnt/mirror` the file
 * https://www2.census.gov/a/b.zip is /mnt/mirror/www2.census.gov/a/b.zip.
 * @throws RangeError naming the rule that is none.
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
