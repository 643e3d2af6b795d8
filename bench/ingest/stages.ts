import { Session } from 'node:inspector/promises';

/**
 * Stages of an ingest, by the module whose work they are; the innermost of a sample's stack that stands here counts. Those
 * marked are what a plain conversion to FlatGeobuf does too.
 */
const STAGES: readonly { readonly name: string; readonly converts?: true; readonly modules: RegExp }[] = [
  {
    name: 'read',
    converts: true,
    modules: /\/ingest\/(readers\/|dbf|shp|rings|geojson|json-|zip|byte-|sliced|row-)/,
  },
  { name: 'project', converts: true, modules: /\/ingest\/crs/ },
  { name: 'validate and repair', modules: /\/steps\/(validity|disjoint-rings)/ },
  { name: 'columns', modules: /\/steps\/(normalise|value|repeat|spelling)/ },
  { name: 'joins', modules: /\/steps\/join/ },
  { name: 'coverage and quality', modules: /\/steps\/(quality|ground|rejected)\// },
  { name: 'interior point', modules: /\/area\/interior-point/ },
  { name: 'acreage', modules: /\/geometry\/(area\/)?geodesic/ },
  { name: 'keys and order', modules: /\/steps\/county\/(?!county\.)/ },
  { name: 'FlatGeobuf', converts: true, modules: /\/writers\/flatgeobuf/ },
  { name: 'Parquet', modules: /\/writers\/geoparquet/ },
  { name: 'addresses', modules: /\/steps\/address-file/ },
];
const COLLECTING = 'collecting garbage';
const WAITING = 'waiting for DuckDB and the disk';
const REST = 'the rest';

/** Whether a plain conversion to FlatGeobuf has this stage too; null of what belongs to no stage. */
export function isConversion(stage: string): boolean | null {
  const known = STAGES.find(({ name }) => name === stage);
  return known ? (known.converts ?? false) : null;
}

/** What a stage is called of which a call frame is; null where its caller says. */
function stageOf(name: string, url: string): string | null {
  if (name === '(garbage collector)') return COLLECTING;
  if (name === '(idle)') return WAITING;
  return STAGES.find(({ modules }) => modules.test(url))?.name ?? null;
}

/** Runs work under the sampling profiler of V8. @returns seconds of each stage of this thread, the longest first. */
export async function stagesOf(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const stages = new Map<number, string | null>();
  const parents = new Map<number, number>();
  for (const { id, callFrame, children } of profile.nodes) {
    stages.set(id, stageOf(callFrame.functionName, callFrame.url));
    for (const child of children ?? []) parents.set(child, id);
  }
  const spent = new Map<string, number>();
  for (const [i, sample] of (profile.samples ?? []).entries()) {
    // What stands before the first sample is the start of the profiler itself.
    if (i === 0) continue;
    let node: number | undefined = sample;
    while (node !== undefined && stages.get(node) === null) node = parents.get(node);
    const stage = (node === undefined ? null : stages.get(node)) ?? REST;
    spent.set(stage, (spent.get(stage) ?? 0) + profile.timeDeltas![i]! / 1e6);
  }
  return new Map([...spent].sort(([, a], [, b]) => b - a));
}
