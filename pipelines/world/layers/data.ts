import { DATA, dataFile, type Ground } from '../../../datasets/places/synthetic/data.ts';
import { geojson, type WorldFile } from '../format/file.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import type { World } from '../world.ts';

/** The files of datasets whose data stands beside the place. */
export function dataFiles({ options, lattice }: World): WorldFile[] {
  const ground: Ground = {
    stream: name => new Random(options.seed, name),
    at: (along, inland) => lattice.at(lattice.columns * along, lattice.rows * inland),
    ring: (of, centre, radius) => blob(of as Random, centre, radius),
  };
  return DATA.flatMap(({ dataset, layers }) =>
    Object.entries(layers).map(([layer, { features }]) => geojson(dataFile(dataset, layer), () => features(ground))),
  );
}
