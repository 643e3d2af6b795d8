import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type CodedStep, codeVersion } from '../../../pipelines/ledger/code-version.ts';

const STEPS: readonly CodedStep[] = ['vector', 'raster', 'roads', 'county', 'overlay-range'];
const ROOT = resolve(import.meta.dirname, '../../..');
/** The modules that count for a step. */
function modulesOf(step: CodedStep): Set<string> {
  const paths = new Set<string>();
  codeVersion(step, path => {
    paths.add(relative(ROOT, path));
    return '';
  });
  return paths;
}

const modules = new Map(STEPS.map(step => [step, modulesOf(step)]));

/** The steps whose hash changes when the text of one module does. */
const changedBy = (module: string): readonly CodedStep[] =>
  STEPS.filter(step => {
    const read = (path: string) => readFileSync(path, 'utf8') + (relative(ROOT, path) === module ? '\n// new' : '');
    return codeVersion(step, read) !== codeVersion(step);
  });

/** Which module loads which when the steps run, as Node says it: paths below the root. */
function loaded(): Map<string, Set<string>> {
  const hook = `import { registerHooks } from 'node:module';
    const edges = [];
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      edges.push([context.parentURL, found.url]);
      return found;
    } });
    for (const path of process.argv.slice(1)) await import(path);
    process.stdout.write(JSON.stringify(edges), () => process.exit());`;
  const every = [...new Set([...modules.values()].flatMap(own => [...own]))].filter(
    path => !/worker|thread/.test(path),
  );
  const paths = every.map(path => resolve(ROOT, path));
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', hook, ...paths], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const edges = new Map<string, Set<string>>();
  for (const [from, to] of JSON.parse(out) as [string | undefined, string][]) {
    if (!from?.startsWith('file:') || !to.startsWith('file:') || to.includes('/node_modules/')) continue;
    const [by, what] = [from, to].map(url => relative(ROOT, fileURLToPath(url)));
    edges.set(by!, (edges.get(by!) ?? new Set()).add(what!));
  }
  return edges;
}

describe('the hash over the code of a step', () => {
  it.each([
    ['pipelines/steps/raster/raster.ts', ['raster']],
    ['pipelines/steps/roads/tiger.ts', ['roads']],
    ['datasets/codes/road-speeds.ts', ['roads']],
    ['pipelines/steps/dissolve.ts', ['vector']],
    ['pipelines/steps/county/parcel-keys.ts', ['county']],
    ['query/evaluate/operators/polygon-attr.ts', ['overlay-range']],
    ['pipelines/steps/intake.ts', ['vector', 'county']],
    ['pipelines/steps/job.ts', ['vector', 'raster', 'roads', 'county']],
    ['ingest/gdal-worker.ts', ['vector', 'raster', 'roads', 'county']],
    ['query/geometry/geodesic.ts', STEPS],
    ['pipelines/release/push/upload.ts', []],
    ['pipelines/refresh/due.ts', []],
    ['server/app.ts', []],
    ['ingest/acquire/locate.ts', []],
  ] as const)('changes with %s for what it makes, and for nothing else', (module, steps) => {
    expect(changedBy(module)).toEqual(steps);
  });

  it('counts every module that runs, as Node loads them', () => {
    const edges = loaded();
    expect(edges.size).toBeGreaterThan(200);
    for (const [step, own] of modules)
      for (const module of own)
        for (const other of edges.get(module) ?? [])
          if (!/^(?:datasets\/(?:products|places|enrich)|ingest\/acquire)\//.test(other))
            expect(own.has(other), `${step}: ${module} loads ${other}`).toBe(true);
  });
});
