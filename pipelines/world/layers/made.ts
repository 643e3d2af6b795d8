import { type Ground, MADE, madeFile } from '../../../datasets/places/synthetic/made.ts';
import { geojson, type WorldFile } from '../format/file.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import type { World } from '../world.ts';

/** The files of datasets whose data stands beside the place. */
export function made({ options, lattice }: World): WorldFile[] {
  const ground: Ground = {
    stream: name => new Random(options.seed, name),
    at: (along, inland) => lattice.at(lattice.columns * along, lattice.rows * inland),
    ring: (of, centre, radius) => blob(of as Random, centre, radius),
  };
  return MADE.flatMap(({ dataset, layers }) =>
    Object.entries(layers).map(([layer, { features }]) => geojson(madeFile(dataset, layer), () => features(ground))),
  );
}
