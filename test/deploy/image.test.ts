import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../house/files.ts';
import { buildImage, type Image, ignores, putFolder, putPackages, type Run } from './dockerfile.ts';

/** What must not come into an image, as it lies about where somebody works. */
const SECRETS = [
  '.plat/secrets/token',
  '.git/config',
  '.env',
  'server/.env.local',
  'web/.plat/state.sqlite',
  'notes.txt',
];
const SECRET = 'not for the image';

const DAEMON_USER = 10001;

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');
const context = tracked.filter(path => !/^(?:test|bench)\//.test(path) && existsSync(join(root, path)));

/** Whether what was built here is of the sources as they are: then the ordinary run takes it. The long one builds. */
function isBuilt(): boolean {
  const builds = ['dist/plat.js', 'web/dist/index.html'].map(path => join(root, path));
  if (process.env.PLAT_TEST === 'long' || !builds.every(existsSync)) return false;
  const oldest = Math.min(...builds.map(path => statSync(path).mtimeMs));
  // Pages are copied, not compiled.
  const sources = context.filter(path => !path.startsWith('docs/') && /\.(?:tsx?|css|html|svg|json)$/.test(path));
  return sources.every(path => statSync(join(root, path)).mtimeMs <= oldest);
}

/** Does what the Dockerfile runs: packages come from those that are installed, the build is done, or was. */
const run: Run = (command, tree, workdir) => {
  const at = join(tree, workdir);
  if (command === 'npm ci') putPackages(root, at, false);
  else if (command === 'npm ci --omit=dev') putPackages(root, at, true);
  else if (command === 'npm run build' && isBuilt()) {
    for (const path of ['dist', 'web/dist']) cpSync(join(root, path), join(at, path), { recursive: true });
  } else if (command === 'npm run build') execFileSync('npm', ['run', 'build'], { cwd: at, stdio: 'pipe' });
  else if (/^install -d -o 10001 -g 10001 -m 0700 \/\S+$/.test(command))
    putFolder(join(tree, command.split(' ').pop()!), 0o700);
  else if (command !== 'npm cache clean --force') throw new Error(`no stand-in for RUN ${command}`);
};

describe('the image', () => {
  let folder = '';
  let image: Image;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'plat-image-'));
    const at = join(folder, 'context');
    for (const path of context) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      linkSync(join(root, path), join(at, path));
    }
    for (const path of SECRETS) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), SECRET);
    }
    image = buildImage(at, folder, run);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds no home, no secret, no history and no source', () => {
    const stage = readdirSync(join(folder, 'build/src'), { recursive: true, encoding: 'utf8' });
    expect(stage.filter(path => SECRETS.includes(path))).toEqual([]);
    expect(stage.filter(path => /^(?:test|bench|\.git)(?:\/|$)/.test(path))).toEqual([]);
    const top = readdirSync(join(image.root, image.workdir)).sort();
    expect(top).toEqual([
      '.npmrc',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'dist',
      'docs',
      'node_modules',
      'package-lock.json',
      'package.json',
      'plat',
      'web',
    ]);
  });

  it('holds the packages that run, and none of development', () => {
    const at = join(image.root, image.workdir);
    const { dependencies } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { dependencies: object };
    const has = (name: string) => existsSync(join(at, 'node_modules', name));
    expect(Object.keys(dependencies).filter(name => !has(name))).toEqual([]);
    expect(['typescript', 'vite', 'vitest', '@biomejs/biome', 'playwright-core', 'maplibre-gl'].filter(has)).toEqual(
      [],
    );
  });

  it('is built from what .dockerignore lets in, whatever else lies there', () => {
    const text = readFileSync(join(root, '.dockerignore'), 'utf8');
    for (const path of [
      ...SECRETS,
      'releases/current',
      'web/dist/index.html',
      'node_modules/a/b.js',
      'web/node_modules/c',
    ])
      expect(ignores(text, path), path).toBe(true);
    for (const path of ['plat', 'plat.ts', 'server/app.ts', 'web/index.html', 'query/engine/worker.ts'])
      expect(ignores(text, path), path).toBe(false);
  });

  describe('starts', { tags: ['mount-namespace'] }, () => {
    it('as another user on a root that nobody can write to, with explorer and console', async () => {
      const { root: tree, workdir, env, user, entrypoint, command, healthcheck } = image;
      // The base image is this machine's: its programs and libraries, and the Node of this process.
      for (const name of ['usr', 'etc', 'proc', 'dev', 'node/bin']) mkdirSync(join(tree, name), { recursive: true });
      for (const name of ['null', 'zero', 'random', 'urandom']) writeFileSync(join(tree, 'dev', name), '');
      for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(tree, name));
      linkSync(process.execPath, join(tree, 'node/bin/node'));
      chownSync(join(tree, env.PLAT_HOME!), DAEMON_USER, DAEMON_USER);
      expect(user).toBe(`${DAEMON_USER}:${DAEMON_USER}`);
      const script = `set -e
        mount --bind "$1" "$1"
        for f in usr etc; do mount --bind "/$f" "$1/$f"; mount -o remount,bind,ro "$1/$f"; done
        mount --bind /proc "$1/proc"
        for f in null zero random urandom; do mount --bind "/dev/$f" "$1/dev/$f"; done
        mount --bind "$1$2" "$1$2"
        mount -o remount,bind,ro "$1"
        r=$1 u=$3 w=$4; shift 4
        exec chroot --userspec="$u" "$r" sh -c 'cd "$0" && exec "$@"' "$w" "$@"`;
      const inside = (...words: readonly string[]) =>
        ['--mount', 'sh', '-c', script, 'sh', tree, env.PLAT_HOME!, user, workdir, ...words] as const;
      const given = { PATH: '/node/bin:/usr/bin:/bin:/usr/sbin', ...env };
      const child = spawn('unshare', inside(...entrypoint, ...command, '--json'), {
        env: { ...given, PORT: '0', HOST: '127.0.0.1', PLAT_LOG: 'error', PLAT_DRAIN_DELAY_MS: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said: string[] = [];
      child.stderr.setEncoding('utf8').on('data', text => said.push(text));
      const ended = once(child, 'close');
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
      try {
        expect(said.join('')).toBe('');
        const { address } = JSON.parse(line as string) as { address: string };
        for (const [path, text] of [
          ['/', '<div id="'],
          ['/console', '<div id="'],
          ['/v1/openapi.json', 'openapi'],
          ['/healthz', 'ok'],
        ])
          expect(await (await fetch(`${address}${path}`)).text(), path).toContain(text);
        const health = spawn('unshare', inside(...healthcheck), { env: { ...given, PORT: new URL(address).port } });
        expect((await once(health, 'close'))[0]).toBe(0);
        // The files beside the code that are no code: the directory of counties and their outlines.
        const out = `${env.PLAT_HOME}/penobscot-me.yaml`;
        const told = [...entrypoint, 'place', 'new', '23019', '--offline', '--out', out];
        const made = spawn('unshare', inside(...told), { env: given, stdio: ['ignore', 'ignore', 'pipe'] });
        made.stderr.setEncoding('utf8').on('data', text => said.push(text));
        expect((await once(made, 'close'))[0], said.join('')).toBe(0);
        const touch = spawn('unshare', inside('sh', '-c', 'touch /opt/plat/x || touch /x || touch /tmp/x'));
        expect((await once(touch, 'close'))[0]).not.toBe(0);
      } finally {
        child.kill('SIGTERM');
      }
      expect((await ended)[0]).toBe(0);
      expect(readdirSync(join(tree, env.PLAT_HOME!)).sort()).toEqual(
        expect.arrayContaining(['secrets', 'state.sqlite']),
      );
    });
  });
});
