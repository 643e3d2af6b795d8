import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import type { Manifest } from '../../../../datasets/release.ts';
import { type RunOptions, type RunReport, run } from '../../../../pipelines/run.ts';
import { currentId, readManifest } from '../../../../query/release/home/releases.ts';
import { SILENT } from '../../silent.ts';
import { feature, folder, provenance, square, writeFiles } from '../../village.ts';

export const ROWS = 2000;

/** Days of a year that is no leap year, spread over its months. */
const monthOf = (i: number) => (i % 12) + 1;
const dayOf = (i: number) => (i % 28) + 1;
const two = (n: number) => String(n).padStart(2, '0');
export const american = (i: number) => `${two(monthOf(i))}/${two(dayOf(i))}/2020`;
export const european = (i: number) => `${two(dayOf(i))}/${two(monthOf(i))}/2020`;

/** The kinds in turn: of every twenty rows one has none. */
const KINDS = ['shop', 'works', 'church', 'school'];
export const kindOf = (i: number) => (i % 20 === 0 ? null : KINDS[i % 4]!);

/** Building `i` of a grid inside the boundary. */
export const building = (i: number, properties: Record<string, unknown> = {}) =>
  feature('Polygon', [square(-69 + 0.001 + (i % 50) * 0.001, 44.001 + Math.floor(i / 50) * 0.001, 0.0005)], {
    id: `B${i}`,
    taken: american(i),
    kind: kindOf(i),
    ...properties,
  });

export const buildings = (count = ROWS, properties: (i: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, i) => building(i, properties(i)));

export const layer: PlaceLayer = {
  dataset: 'fema_usa_structures',
  layer: 'main',
  file: 'buildings.geojson',
  columns: {
    BUILD_ID: { from: 'id', patterns: [{ match: '^B(\\d+)$', value: '$1' }] },
    IMAGE_DATE: { from: 'taken', dateFormat: 'MM/DD/YYYY' },
    OCC_CLS: {
      from: 'kind',
      lookup: { shop: 'Commercial', works: 'Industrial', church: 'Assembly', school: 'Education' },
      otherwise: 'Unclassified',
    },
  },
  unpublished: ['PROP_ADDR', 'SQMETERS', 'PRIM_OCC', 'HEIGHT'],
  provenance,
};

export const hamlet: Place = {
  name: 'hamlet',
  title: 'A hamlet',
  state: 'ME',
  county: '23019',
  coverage: { file: 'boundary.geojson' },
  layers: [layer],
};

/** The hamlet with another layer, such as a looser one. */
export const having = (more: Partial<PlaceLayer>): Place => ({ ...hamlet, layers: [{ ...layer, ...more }] });

let firstHome: Promise<string> | undefined;
/** A home with the release of what a hamlet publishes first: made once a process, since most tests begin with it. */
async function makeFirstHome(): Promise<string> {
  const home = join(inject('sharedFolder'), `hamlet-${process.pid}`);
  const at = new Hamlet();
  await at.ingest();
  cpSync(at.home, home, { recursive: true });
  for (const path of [at.home, at.sources]) rmSync(path, { recursive: true });
  return home;
}

/** A home and the sources of the hamlet. */
export class Hamlet {
  readonly home = folder();
  readonly sources = folder();

  constructor() {
    writeFiles(this.sources, { 'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])] });
    this.publish(buildings());
  }

  /** What the publisher has from now on. */
  publish(features: readonly unknown[], file = 'buildings.geojson'): void {
    writeFiles(this.sources, { [file]: features });
  }

  /** The first ingest, of what is published at first. */
  async ingestFirst(): Promise<void> {
    firstHome ??= makeFirstHome();
    cpSync(await firstHome, this.home, { recursive: true });
  }

  ingest(place: Place = hamlet, more: Partial<RunOptions> = {}): Promise<RunReport> {
    return run({ home: this.home, sources: this.sources, place, threads: 0, progress: SILENT, ...more });
  }

  get releases(): string {
    return `${this.home}/releases`;
  }

  get current(): Manifest {
    return readManifest(this.releases, currentId(this.releases)!);
  }
}
