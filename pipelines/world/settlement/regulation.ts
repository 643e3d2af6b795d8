import type { Value } from '../../../datasets/dataset.ts';
import type { Feature } from '../format/feature.ts';
import { area } from '../format/file.ts';
import { EXTENT, frameRectangle, vertex } from '../frame.ts';
import type { Lattice } from '../nature/lattice.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import { surname } from './name.ts';

/** Programs and industry of the facilities in turn; only the first kind is a treatment plant with a discharge permit. */
const KINDS = [
  ['NPDES:%, ICIS-NPDES MAJOR', '221320', 'WASTEWATER TREATMENT FACILITY'],
  ['ACRES:%', '', 'FORMER MILL'],
  ['TRIS:%, RCRAINFO:%', '325199, 325211', 'CHEMICAL WORKS'],
  ['RCRAINFO:%', '811111', 'GARAGE'],
  ['NPDES:%', '311710', 'FISH PLANT'],
] as const;

/** EPA Facility Registry Service: facilities with the programs that know them, degrees in NAD83. */
export function facilities(lattice: Lattice, seed: number): Readonly<Record<string, Value>>[] {
  const random = new Random(seed, 'facilities');
  return Array.from({ length: 30 }, (_, i) => {
    const [programs, NAICS_CODES, name] = KINDS[i % KINDS.length]!;
    const [lng, lat] = lattice.at(
      lattice.columns * random.between(0.05, 0.95),
      lattice.rows * random.between(0.1, 0.95),
    );
    return {
      FRS_FACILITY_DETAIL_REPORT_URL: '',
      REGISTRY_ID: String(110_099_900_000 + i),
      PRIMARY_NAME: `${surname(random).toUpperCase()} ${name}`,
      INTEREST_TYPES: 'SYNTHETIC',
      NAICS_CODES,
      LATITUDE83: lat,
      LONGITUDE83: lng,
      PGM_SYS_ACRNMS: programs.replaceAll('%', `SY${String(9000 + i)}`),
    };
  });
}

/** EPA Green Book: one half of the area in nonattainment, the other redesignated to maintenance. */
export function airAreas(pollutant: string, nonattainment: 'south' | 'north'): Feature[] {
  const half = (side: 'south' | 'north') => {
    const [from, to] = side === 'south' ? [EXTENT.west - 4000, 0] : [0, EXTENT.east + 4000];
    const status = side === nonattainment ? 'Nonattainment' : 'Maintenance';
    const properties = { composid: `${pollutant}.SY${side}`, area_name: `Synthetic ${side}`, current_st: status };
    // The northern area of a town alone leaves the country around it in attainment.
    return area(properties, frameRectangle(from, side === 'south' ? EXTENT.sea : 2000, to, EXTENT.inland));
  };
  return [half('south'), half('north')];
}

/** USGS: limestone under the hills of the south. */
export function karst(lattice: Lattice, seed: number): Feature[] {
  const random = new Random(seed, 'karst');
  return [0.15, 0.35].map((x, i) =>
    area(
      {
        UNIT_NAME: i ? 'Granite Hill dolostone' : 'Ledge limestone',
        ROCKTYPE1: i ? 'dolostone (dolomite)' : 'limestone',
      },
      blob(random, lattice.at(lattice.columns * x, lattice.rows * 0.6), 1200 + 500 * i),
    ),
  );
}

/** US Drought Monitor: abnormally dry in the south, moderate drought inside it, none in the north. */
export function drought(): Feature[] {
  const wedge = (DM: number, east: number, inland: number) =>
    area({ DM }, [
      vertex(EXTENT.west - 5000, EXTENT.sea - 2000),
      vertex(east, EXTENT.sea - 2000),
      vertex(east + 1500, inland),
      vertex(EXTENT.west - 5000, inland),
      vertex(EXTENT.west - 5000, EXTENT.sea - 2000),
    ]);
  return [wedge(0, 1000, EXTENT.inland + 2000), wedge(1, -5000, 8000)];
}
