import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rings } from '../../../query/route/time-field.ts';

/** What `make valhalla` installs: https://github.com/valhalla/valhalla, built for Node, with its programs. */
const PACKAGE = fileURLToPath(new URL('../../../.valhalla/node_modules/@valhallajs/valhallajs', import.meta.url));
const BUILD_TILES = join(PACKAGE, process.platform, process.arch, 'valhalla_build_tiles');

/** Whether it is there, for this machine. */
export const VALHALLA_INSTALLED = existsSync(BUILD_TILES);

interface Place {
  readonly lng: number;
  readonly lat: number;
}

interface Actor {
  matrix(query: object): Promise<{
    readonly sources_to_targets: readonly (readonly {
      readonly time: number | null;
      readonly distance: number | null;
    }[])[];
  }>;
  isochrone(query: object): Promise<{
    readonly features: readonly {
      readonly geometry:
        | { readonly type: 'Polygon'; readonly coordinates: Rings[number] }
        | { readonly type: 'MultiPolygon'; readonly coordinates: Rings };
    }[];
  }>;
}

/** The settings that it does not begin without, as its own `valhalla_build_config` has them, with room for larger tables. */
const settingsFor = (tiles: string) => ({
  mjolnir: { tile_dir: tiles, concurrency: 1, id_table_size: 10_000_000, logging: { type: '' } },
  loki: {
    actions: ['locate', 'sources_to_targets', 'isochrone'],
    service_defaults: {
      heading_tolerance: 60,
      minimum_reachability: 50,
      node_snap_tolerance: 5,
      radius: 0,
      search_cutoff: 35_000,
      street_side_max_distance: 1_000,
      street_side_tolerance: 5,
    },
  },
  meili: { default: { breakage_distance: 2_000 } },
  thor: {},
  service_limits: {
    auto: {
      max_distance: 5_000_000,
      max_locations: 100,
      max_matrix_distance: 400_000,
      max_matrix_location_pairs: 10_000,
    },
    isochrone: {
      max_contours: 4,
      max_distance: 25_000,
      max_distance_contour: 200,
      max_locations: 1,
      max_time_contour: 120,
    },
    pedestrian: {
      max_distance: 250_000,
      max_locations: 50,
      max_matrix_distance: 200_000,
      max_matrix_location_pairs: 2_500,
      max_transit_walking_distance: 10_000,
      min_transit_walking_distance: 1,
    },
    skadi: { max_shape: 750_000, min_resample: 10 },
    trace: {
      max_alternates: 3,
      max_alternates_shape: 100,
      max_distance: 200_000,
      max_gps_accuracy: 100,
      max_search_radius: 100,
      max_shape: 16_000,
    },
    max_alternates: 2,
    max_exclude_locations: 50,
    max_exclude_polygons_length: 10_000,
    max_radius: 200,
    max_reachability: 100,
  },
});

const located = ({ lng, lat }: Place) => ({ lat, lon: lng });

/** Valhalla over the roads of an extract, driving a car at its own speeds and turn costs. @param folder empty, for its tiles. */
export function openValhalla(extract: string, folder: string) {
  const settings = JSON.stringify(settingsFor(join(folder, 'tiles')));
  writeFileSync(join(folder, 'valhalla.json'), settings);
  // It leaves a list of its own where it is run.
  execFileSync(BUILD_TILES, ['-c', join(folder, 'valhalla.json'), extract], { cwd: folder, stdio: 'ignore' });
  const valhalla = createRequire(import.meta.url)(PACKAGE) as { readonly Actor: new (settings: string) => Actor };
  const actor = new valhalla.Actor(settings);
  return {
    /** Seconds and metres, rows by origin; null where it finds no way. */
    async table(origins: readonly Place[], destinations: readonly Place[]) {
      const query = { sources: origins.map(located), targets: destinations.map(located), costing: 'auto' };
      const { sources_to_targets } = await actor.matrix(query);
      return sources_to_targets.map(row =>
        row.map(({ time, distance }) =>
          typeof time === 'number' && typeof distance === 'number' ? { seconds: time, metres: 1000 * distance } : null,
        ),
      );
    },
    /** The ground that is reached: every piece of it, its line as it is drawn. */
    async isochrone(from: Place, minutes: number): Promise<Rings> {
      const contours = [{ time: minutes }];
      const query = {
        locations: [located(from)],
        costing: 'auto',
        contours,
        polygons: true,
        denoise: 0,
        generalize: 0,
      };
      const { features } = await actor.isochrone(query);
      return features.flatMap(
        ({ geometry }): Rings => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates),
      );
    },
  };
}
