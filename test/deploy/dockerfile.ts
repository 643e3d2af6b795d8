import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What a Dockerfile says of the image that its last stage makes. */
export interface Image {
  /** The folder that holds the file tree. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/** What stands in for a command of `RUN`. @param root the file tree so far. @param workdir within it. */
export type Run = (command: string, root: string, workdir: string) => void;

/** A pattern of a .dockerignore: `*` and `?` are within a name, `**` is any folders or none. */
const matcher = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('**/', '<')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')
      .replaceAll('<', '(?:.*/)?')}$`,
  );

/** Tells whether a .dockerignore keeps a path out: the last line that fits the path or a folder above it decides. */
export function ignores(text: string, path: string): boolean {
  const above = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
  let out = false;
  for (const line of text.split('\n').map(l => l.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const back = line.startsWith('!');
    const pattern = matcher(back ? line.slice(1) : line);
    if (above.some(name => pattern.test(name))) out = !back;
  }
  return out;
}

/** The files of a folder, as paths from it, without those that a .dockerignore keeps out. */
function* filesOf(context: string, ignored: string, below = ''): Generator<string> {
  for (const entry of readdirSync(join(context, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      // No line lets something below an ignored folder back in: each `!` names a folder or a file at the top.
      if (!ignores(ignored, path)) yield* filesOf(context, ignored, path);
    } else if (!ignores(ignored, path)) yield path;
  }
}

/** Copies a file, or all of a folder; links to the same content where the disk can. */
function put(from: string, to: string, without?: RegExp): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) if (!without?.test(name)) put(join(from, name), join(to, name), without);
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}

/**
 * Makes the file tree of an image as a Dockerfile says, without an engine: nothing is fetched, and `RUN` is done by a stand-in.
 * @param context the folder that is built from.
 * @param folder where the trees of the stages arise. @throws Error for an instruction that it does not know.
 */
export function buildImage(context: string, folder: string, run: Run): Image {
  const ignored = readFileSync(join(context, '.dockerignore'), 'utf8');
  const lines = readFileSync(join(context, 'Dockerfile'), 'utf8').split('\n');
  const stages = new Map<string, string>();
  let [root, workdir, user] = ['', '/', '0'];
  let env: Record<string, string> = {};
  let [entrypoint, command, healthcheck]: string[][] = [[], [], []];
  for (const line of lines.filter(text => text.trim() !== '' && !text.startsWith('#'))) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line)!;
    if (word === 'FROM') {
      const name = / AS (\w+)$/.exec(rest!)?.[1] ?? 'last';
      root = join(folder, name);
      stages.set(name, root);
      [workdir, user, env] = ['/', '0', {}];
      mkdirSync(root);
    } else if (word === 'WORKDIR') {
      workdir = rest!;
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (word === 'COPY') {
      const stage = /^--from=(\w+) /.exec(rest!)?.[1];
      const words = rest!.replace(/^--from=\w+ /, '').split(' ');
      const target = join(root, resolve(workdir, words.pop()!));
      for (const source of words) {
        const whole = stage ? join(stages.get(stage)!, source) : resolve(context, source);
        if (stage === undefined && source === '.')
          for (const path of filesOf(context, ignored)) put(join(context, path), join(target, path));
        else if (stage === undefined && ignores(ignored, source)) throw new Error(`.dockerignore keeps ${source} out`);
        else put(whole, statSync(whole).isDirectory() ? target : join(target, basename(source)));
      }
    } else if (word === 'RUN') for (const each of rest!.split(' && ')) run(each, root, workdir);
    else if (word === 'USER') user = rest!;
    else if (word === 'ENV') env = { ...env, ...Object.fromEntries(rest!.split(' ').map(pair => pair.split('='))) };
    else if (word === 'ENTRYPOINT') entrypoint = JSON.parse(rest!);
    else if (word === 'CMD') command = JSON.parse(rest!);
    else if (word === 'HEALTHCHECK') healthcheck = JSON.parse(rest!.replace(/^CMD /, ''));
    else if (word !== 'EXPOSE' && word !== 'VOLUME') throw new Error(`${word} is not interpreted`);
  }
  return { root, workdir, user, env, entrypoint: entrypoint!, command: command!, healthcheck: healthcheck! };
}

/** Files of packages that no program reads: more than half of all. */
const UNREAD = /\.(?:d\.[cm]?ts|map|md|mts|tsx?)$/;

/** Puts what `npm ci` would install from a lockfile, out of packages that are installed already. */
export function putPackages(installed: string, target: string, omitDev: boolean): void {
  const { packages } = JSON.parse(readFileSync(join(target, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  if (!omitDev) {
    symlinkSync(join(installed, 'node_modules'), join(target, 'node_modules'));
    return;
  }
  const names = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  for (const [path, { optional, devOptional }] of names) {
    const from = join(installed, path);
    if (!existsSync(from)) {
      if (optional || devOptional) continue;
      throw new Error(`${path} is locked but not installed`);
    }
    // What is nested has a line of its own.
    for (const name of readdirSync(from))
      if (name !== 'node_modules') put(join(from, name), join(target, path, name), UNREAD);
  }
}

/** Makes a folder as `install -d` does. */
export function putFolder(path: string, mode: number): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
}
