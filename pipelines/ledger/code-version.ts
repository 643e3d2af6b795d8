import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The modules that a step of an ingest begins with: what they and what they import says decides the step's result. */
const STEPS = {
  vector: ['../steps/layer', '../steps/job'],
  raster: ['../steps/raster/raster', '../steps/job'],
  roads: ['../steps/roads/roads', '../steps/job'],
  county: ['../steps/county/county', '../steps/job'],
  layer: ['../remote/layer-step', '../remote/layer-task'],
  'overlay-range': ['../overlay/range-step', '../overlay/worker'],
} as const;

/** A step of an ingest whose results are kept under a hash of its code. */
export type CodedStep = keyof typeof STEPS;

/** Definitions of layers, places and enrichments: what a result rests on of them is in its key by itself. Downloads decide nothing. */
const BESIDE = /\/(?:datasets\/(?:products|places|enrich)|ingest\/acquire)\//;

/** Imports that are gone when the code runs. */
const TYPES = /^(?:import|export) type [^;]*;/gm;
/** Modules by their paths, imported or started as a thread. */
const MODULES = /["'](\.{1,2}\/[^"']+\.[jt]s)["']|threadFile\(["']([\w-]+)["']/g;
const PACKAGES = /(?:\bfrom|^import|\bimport\(|\brequire\() ?["'](?!node:)((?:@[\w.-]+\/)?[a-z][\w.-]*)[^"']*["']/gm;

/** Folders whose code decides the result of a task that another machine may do. */
const BUILD = ['../', '../../query/', '../../ingest/', '../../datasets/'] as const;

const absolute = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** What code is written in here: `.ts` in a checkout, `.js` where it was compiled. */
const ENDING = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The modules that a step consists of, absolute and sorted, and the packages that they import. */
function modulesOf(step: CodedStep): {
  readonly modules: readonly string[];
  readonly packages: ReadonlySet<string>;
} {
  const modules = new Set(STEPS[step].map(entry => absolute(`${entry}${ENDING}`)));
  const packages = new Set<string>();
  // A set grows while it is walked through.
  for (const module of modules) {
    const text = readFileSync(module, 'utf8').replace(TYPES, '');
    for (const [, path, thread] of text.matchAll(MODULES)) {
      const other = resolve(dirname(module), path ?? `./${thread}${ENDING}`);
      if (!BESIDE.test(other) && existsSync(other)) modules.add(other);
    }
    for (const [, name] of text.matchAll(PACKAGES)) packages.add(name!);
  }
  return { modules: [...modules].sort(), packages };
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly dependencies?: object;
        readonly optionalDependencies?: object;
      }
    >
  >;
}

/** The lock of the packages; null of an installation that came without it. */
function packageLock(): string | null {
  const path = ['../../', '../../../'].map(up => absolute(`${up}package-lock.json`)).find(existsSync);
  return path === undefined ? null : readFileSync(path, 'utf8');
}

/** Versions of packages and of all that they depend on, as the lock says them. */
function lockedVersions(names: Iterable<string>): string[] {
  const text = packageLock();
  if (text === null) return [];
  const { packages } = JSON.parse(text) as Lock;
  const paths = new Set([...names].map(name => `node_modules/${name}`));
  for (const path of paths) {
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const own = `${path}/node_modules/${name}`;
      paths.add(own in packages ? own : `node_modules/${name}`);
    }
  }
  return [...paths].sort().map(path => `${path} ${packages[path]?.version} ${packages[path]?.integrity}`);
}

const versions = new Map<string, string>();

/**
 * Returns a hash over the code of a step: its modules, those that they import, and the versions of its packages. If it changes,
 * what the step made is made anew, and nothing else. Comments count too: building once too often does no harm, once too seldom
 * does.
 * @param read the text of a module; the default reads its file, once in a process.
 */
export function codeVersion(step: CodedStep, read?: (path: string) => string): string {
  const cached = read ? undefined : versions.get(step);
  if (cached !== undefined) return cached;
  const { modules, packages } = modulesOf(step);
  const hash = createHash('sha256');
  for (const module of modules) hash.update((read ?? (path => readFileSync(path, 'utf8')))(module));
  hash.update(lockedVersions(packages).join('\n'));
  const version = hash.digest('hex');
  if (!read) versions.set(step, version);
  return version;
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesBelow(`${folder}${entry.name}/`);
    else if (/\.[jt]s$/.test(entry.name)) yield `${folder}${entry.name}`;
  }
}

/** Returns a hash over all code of an ingest and all packages: machines of one ingest must have the same. */
export function buildVersion(): string {
  let version = versions.get('');
  if (version === undefined) {
    const hash = createHash('sha256');
    for (const room of BUILD) for (const file of filesBelow(absolute(room))) hash.update(readFileSync(file));
    version = hash.update(packageLock() ?? '').digest('hex');
    versions.set('', version);
  }
  return version;
}
