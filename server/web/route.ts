import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { type SharedAnswer, sendShared, sharedAnswer, tagOf } from '../http/shared-answer.ts';
import type { Imagery } from '../tiles/imagery.ts';

/** Folders of the built pages: beside the sources, and beside dist/ for a compiled server. */
const FOLDERS = ['../../web/dist/', '../../../web/dist/'].map(path => fileURLToPath(new URL(path, import.meta.url)));

/** Paths that show the single page of the explorer and the console. */
const PAGES = ['/', '/search', '/parcel', '/ask', '/console'];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/**
 * Only content of this server, and pictures of the one that the operator names for the map; no inline scripts or styles; no framing.
 * The map's own images are `data:` and `blob:`. A worker follows the policy of the file that it is loaded from.
 */
const policyOf = (imagery: Imagery | null) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${imagery ? ` ${imagery.origin}` : ''}`,
    `connect-src 'self'${imagery ? ` ${imagery.origin}` : ''}`,
    "worker-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const NOT_BUILT =
  'The explorer is not built. `make web` builds it, and `make run` does so by itself; then start the server again.\nThe API answers without it: its description is at /v1/docs.\n';

/** The built files by the path that they are served at. Each is read at its first request and then kept. */
class Built {
  readonly #folder: string | null;
  readonly #names: ReadonlySet<string>;
  readonly #answers = new Map<string, SharedAnswer>();

  /** @param folder of the built files; null when nothing was built. */
  constructor(folder: string | null) {
    this.#folder = folder;
    const entries = folder === null ? [] : readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
    this.#names = new Set(files.map(path => `/${relative(folder!, path).replaceAll('\\', '/')}`));
  }

  /** A file; null when there is none. */
  at(path: string): SharedAnswer | null {
    let answer = this.#answers.get(path);
    if (!answer) {
      if (this.#folder === null || !this.#names.has(path)) return null;
      const file = join(this.#folder, path);
      // The pages were built again while the server ran.
      if (!existsSync(file)) return null;
      const bytes = readFileSync(file);
      answer = sharedAnswer(bytes, TYPES[extname(path)] ?? 'application/octet-stream', tagOf(bytes));
      this.#answers.set(path, answer);
    }
    return answer;
  }
}

/**
 * The explorer and the console: static files, built before the server started. Names of assets contain a digest of
 * their content, so that browsers may keep them for ever.
 * @param imagery that the map may show. @param folder of the built files; null when there is none.
 */
export function webRoutes(
  app: FastifyInstance,
  imagery: Imagery | null = null,
  folder = FOLDERS.find(existsSync) ?? null,
): void {
  const headers = { 'content-security-policy': policyOf(imagery) };
  const schema = { hide: true };
  const built = new Built(folder);
  for (const path of PAGES)
    app.get(path, { schema }, async (request, reply) => {
      const page = built.at('/index.html');
      if (!page) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return sendShared(request, reply.headers({ ...headers, 'cache-control': 'no-cache' }), page);
    });
  const asset = (lasting: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = built.at(request.url.split('?', 1)[0]!);
    if (!answer) throw new ServiceError('not_found');
    return sendShared(request, reply.headers({ ...headers, 'cache-control': lasting }), answer);
  };
  app.get('/assets/*', { schema }, asset('public, max-age=31536000, immutable'));
  for (const path of ['/plat.svg', '/signed-in.js']) app.get(path, { schema }, asset('public, max-age=3600'));
}
