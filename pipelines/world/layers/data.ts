import { DATA, dataFile, type Ground, type SyntheticData } from '../../../datasets/places/synthetic/data.ts';
import { csv, geojson, type WorldFile } from '../format/file.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import type { World } from '../world.ts';

/** The files of datasets whose data stands beside the place. @param data of those alone. */
export function dataFiles({ options, lattice, counties }: World, data: readonly SyntheticData[] = DATA): WorldFile[] {
  const ground: Ground = {
    stream: name => new Random(options.seed, name),
    at: (along, inland) => lattice.at(lattice.columns * along, lattice.rows * inland),
    counties: counties.map(({ county }) => county.fips),
    tracts: counties.flatMap(({ census }) => [...census.tracts()].map(({ geoid }) => geoid)),
    ring: (of, centre, radius) => blob(of as Random, centre, radius),
  };
  return data.flatMap(({ dataset, layers }) =>
    Object.entries(layers).map(([name, layer]) => {
      const path = dataFile(dataset, name, layer);
      const { columns, rows, features = () => [] } = layer;
      return rows ? csv(path, { columns, rows: [...rows(ground)] }) : geojson(path, () => features(ground));
    }),
  );
}
