import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Column } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { Manifest } from '../../datasets/release.ts';
import { runOverlay } from '../../pipelines/overlay/run.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { COUNTY_FILES, countyPlaces } from '../agreement/county.ts';
import { SILENT } from './silent.ts';
import { FILES, folder, village, writeFiles } from './village.ts';

export const NAMES = Object.entries(PARCEL_ATTRIBUTES as Readonly<Record<string, Column>>).flatMap(
  ([name, { computed }]) => (computed ? [] : [name]),
);

type Feature = { geometry: { coordinates: unknown } | null; properties: Record<string, unknown> };

/** Numbers of a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** All coordinates a hundred metres or so to the east. */
const moved = (coordinates: unknown): unknown =>
  Array.isArray(coordinates)
    ? typeof coordinates[0] === 'number'
      ? [(coordinates[0] as number) + 0.001, ...coordinates.slice(1)]
      : coordinates.map(moved)
    : coordinates;

const manifestOf = (home: string): Manifest => readManifest(join(home, 'releases'), currentId(join(home, 'releases'))!);

/** One moment for all runs of a sequence, so that equal calculations have equal bytes. */
const NOW = new Date('2026-11-21T08:00:00.000Z');

/** The calculations of a release made anew, in a copy of a home that has none. */
export async function calculated(home: string): Promise<object> {
  const copy = folder();
  try {
    cpSync(home, copy, { recursive: true });
    await runOverlay({ home: copy, threads: 0, memoryMb: 128, progress: SILENT, now: NOW });
    return structuredClone(manifestOf(copy).overlays ?? {});
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** What a release holds, without the moments of retrieval. */
const held = ({ datasets, tiles, ingests }: Manifest) =>
  JSON.parse(JSON.stringify({ datasets, tiles, ingests }, (key, value) => (key === 'retrievedAt' ? undefined : value)));

/**
 * A random sequence of refreshes, taken twice: once with what was built before, once building everything. After each the two
 * releases name the same files, and the calculations of the first are those that are made anew of the second; at the end a home
 * that never saw the sequence names the same files too, but for parcels, whose keys remember.
 */
export async function sameAsRebuilt(seed: number, steps: number): Promise<{ reused: number }> {
  const next = random(seed);
  const below = (n: number) => Math.floor(next() * n);
  const [sources, kept, rebuilt, fresh] = [folder(), folder(), folder(), folder()];
  const files: Record<string, Feature[]> = structuredClone({
    ...FILES,
    ...COUNTY_FILES,
    'zones.geojson': FILES['zoning.geojson'],
  }) as never;
  const own: Place = {
    ...village,
    layers: village.layers.map(layer =>
      layer.file === 'zoning.geojson' ? { ...layer, file: 'zones.geojson' } : layer,
    ),
  };
  const { east, west } = countyPlaces(NAMES);
  const places: Place[] = [own, east];
  let code = 'first';
  let reused = 0;
  const write = () => writeFiles(sources, files);
  const ingest = (home: string, place: Place, reuse: boolean, removes = false) =>
    run({
      ...{ home, sources, place, threads: 0, progress: SILENT, accept: [place.name], reuse, code, now: NOW, removes },
      ...(home === kept ? { overlay: { memoryMb: 128 } } : {}),
    });
  const both = async (place: Place, removes = false) => {
    const report = await ingest(kept, place, true, removes);
    await ingest(rebuilt, place, false, removes);
    return report;
  };
  const changes: (() => unknown)[] = [
    () => {
      const rows = files[editable()]!;
      rows.push(structuredClone(rows[below(rows.length)]!));
    },
    () => {
      const rows = files[editable()]!;
      const row = rows[below(rows.length)]!;
      if (row.geometry) row.geometry.coordinates = moved(row.geometry.coordinates);
    },
    () => {
      const rows = files[editable()]!;
      if (rows.length > 3) rows.splice(below(rows.length), 1);
    },
    // A column is renamed in the file, and in the place that maps it.
    () => {
      const [from, to] =
        files['zones.geojson']![0]!.properties.zone === undefined ? ['code', 'zone'] : ['zone', 'code'];
      for (const { properties } of files['zones.geojson']!) {
        properties[to] = properties[from];
        delete properties[from];
      }
      places[0] = {
        ...places[0]!,
        layers: places[0]!.layers.map(
          (layer): PlaceLayer =>
            layer.file === 'zones.geojson' ? { ...layer, columns: { ZONE: { from: to, case: 'upper' } } } : layer,
        ),
      };
    },
    // A layer leaves its place, or comes back.
    () => {
      const isWhole = places[0]!.layers.length === 2;
      const zoning = places[0]!.layers.find(layer => layer.file === 'zones.geojson')!;
      places[0] = isWhole ? { ...places[0]!, layers: [zoning] } : { ...places[0]!, layers: [own.layers[0]!, zoning] };
    },
    // A place of the same county comes, or goes.
    async () => {
      if (!places.includes(west)) places.push(west);
      else {
        places.splice(places.indexOf(west), 1);
        await both({ ...west, coverage: { everywhere: true }, layers: [] }, true);
      }
    },
    () => {
      code = `code ${below(1e6)}`;
    },
    () => {},
  ];
  const names = ['wetlands.geojson', 'zones.geojson', 'old.geojson', 'new.geojson'].filter(name => files[name]);
  const editable = () => names[below(names.length)]!;
  try {
    write();
    for (const place of places) await both(place);
    for (let step = 0; step < steps; step++) {
      const which = below(changes.length);
      await changes[which]!();
      write();
      for (const place of places) {
        reused += (await both(place)).reused;
        expect(held(manifestOf(kept)), `seed ${seed}, step ${step}, change ${which}, ${place.name}`).toEqual(
          held(manifestOf(rebuilt)),
        );
      }
      const made = await calculated(rebuilt);
      expect(Object.keys(made)).not.toEqual([]);
      expect(manifestOf(kept).overlays, `seed ${seed}, step ${step}, change ${which}`).toEqual(made);
    }
    for (const place of places) await ingest(fresh, place, true);
    const beyondParcels = (home: string) => {
      const { datasets, tiles } = held(manifestOf(home));
      const others = Object.entries(tiles).filter(([key]) => !key.startsWith('parcels/'));
      return { ...datasets, parcel_store: null, tiles: Object.fromEntries(others) };
    };
    expect(beyondParcels(kept)).toEqual(beyondParcels(fresh));
    return { reused };
  } finally {
    for (const path of [sources, kept, rebuilt, fresh]) rmSync(path, { recursive: true, force: true });
  }
}
