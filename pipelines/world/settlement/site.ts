import type { Value } from '../../../datasets/dataset.ts';
import type { Feature, Position } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import { squareMetres } from './census.ts';
import { countyAt } from './county.ts';

const SUBSTATIONS = ['Mill Street', 'Granite Hill', 'Ferry Road', 'Heron Point', 'Orchard'] as const;

/** Places, plants, stations and lines of both counties that stand on the street grid. */
export class Sites {
  readonly #lattice: Lattice;
  readonly #seed: number;

  constructor(lattice: Lattice, seed: number) {
    this.#lattice = lattice;
    this.#seed = seed;
  }

  /** Point by shares of the area's width and of the way from coast to inland county line. */
  #at(x: number, y: number): Position {
    return this.#lattice.at(x * this.#lattice.columns, y * this.#lattice.rows);
  }

  #points(
    stream: string,
    count: number,
    row: (i: number, at: Position, random: Random) => Record<string, Value>,
  ): Feature[] {
    const random = new Random(this.#seed, stream);
    return Array.from({ length: count }, (_, i) => {
      const at = this.#at(random.between(0.05, 0.95), random.between(0.08, 0.95));
      return { properties: row(i, at, random), geometry: { type: 'Point', coordinates: at } };
    });
  }

  airports(): Feature[] {
    const kinds = [
      ['SYN', 'Synthetic Regional', 'A', 'PU', 'I E'],
      ['S01', 'Harbor Strip', 'A', 'PR', null],
      ['S02', 'Synthetic Hospital Heliport', 'H', 'PR', null],
      ['S03', 'Ledge Field', 'A', 'PU', null],
    ] as const;
    return this.#points('airports', kinds.length, (i, at) => {
      const [ARPT_ID, ARPT_NAME, SITE_TYPE_CODE, FACILITY_USE_CODE, FAR_139_TYPE_CODE] = kinds[i]!;
      return {
        ARPT_ID,
        ARPT_NAME,
        SITE_TYPE_CODE,
        FACILITY_USE_CODE,
        FAR_139_TYPE_CODE,
        STATE_CODE: countyAt(at).code,
      };
    });
  }

  hospitals(): Feature[] {
    return this.#points('hospitals', 3, i => ({
      ID: `999${i + 1}`,
      NAME: ['SYNTHETIC HARBOR HOSPITAL', 'LEDGE CLINIC', 'OLD COUNTY HOSPITAL'][i]!,
      STATUS: i === 2 ? 'CLOSED' : 'OPEN',
      BEDS: [120, 25, -999][i]!,
      TRAUMA: ['LEVEL III', 'NOT AVAILABLE', 'NOT AVAILABLE'][i]!,
    }));
  }

  structures(): Feature[] {
    return this.#points('structures', 9, i => ({
      PERMANENT_IDENTIFIER: `23999-${String(i + 1).padStart(4, '0')}`,
      FTYPE: 740,
      FCODE: i < 5 ? 74026 : 74034,
      NAME: `${['Central', 'Harbor', 'Ledge', 'Mill', 'Ferry', 'Harbor', 'Ferry', 'Granite', 'Orchard'][i]!} ${i < 5 ? 'Fire' : 'Police'} Station`,
    }));
  }

  schools(): Feature[] {
    return this.#points('schools', 6, (i, at) => ({
      NCESSCH: `${countyAt(at).fips}990000${i + 1}`,
      LEAID: `${countyAt(at).fips}99`,
      NAME:
        ['Harbor', 'Ledge', 'Orchard', 'Mill', 'Ferry', 'Heron'][i]! + (i < 4 ? ' Elementary School' : ' High School'),
      STATE: countyAt(at).code,
      STFIP: countyAt(at).state,
      CNTY: countyAt(at).fips,
    }));
  }

  plants(): Feature[] {
    const kinds = [
      ['Harbor Wind', 'Onshore Wind Turbine', 24.6],
      ['Ledge Solar', 'Solar Photovoltaic', 5],
      ['Mill Hydro', 'Conventional Hydroelectric', 1.8],
      ['Synthetic Atomic', 'Nuclear', 870],
      ['Synthetic Storage', 'Batteries', 20],
    ] as const;
    return this.#points('plants', kinds.length, (i, [lng, lat]) => ({
      'Plant ID': 99901 + i,
      'Plant Name': kinds[i]![0],
      Technology: kinds[i]![1],
      'Nameplate Capacity (MW)': kinds[i]![2],
      Latitude: lat,
      Longitude: lng,
    }));
  }

  /** Generators of the plants, as the operating sheet lists them: one or two a plant. */
  generators(): Record<string, Value>[] {
    return this.plants().flatMap(({ properties: p }, i) => {
      const units = i % 2 ? 1 : 2;
      return Array.from({ length: units }, (_, unit) => ({
        'Plant ID': p['Plant ID']!,
        'Plant Name': p['Plant Name']!,
        'Generator ID': `G${unit + 1}`,
        Technology: p.Technology!,
        'Nameplate Capacity (MW)': Number(p['Nameplate Capacity (MW)']) / units,
        Latitude: p.Latitude!,
        Longitude: p.Longitude!,
      }));
    });
  }

  /** Generators that are planned or being built. */
  planned(): Record<string, Value>[] {
    return this.#points('planned', 4, (i, [lng, lat]) => ({
      'Plant ID': 99951 + i,
      'Plant Name': ['Heron Solar', 'Granite Storage', 'Gull Wind', 'Ledge Ridge Wind'][i]!,
      'Nameplate Capacity (MW)': [5, 20, 74.9, 100][i]!,
      Latitude: lat,
      Longitude: lng,
    })).map(({ properties }) => ({ ...properties }));
  }

  /** Wind turbines in a row, and solar fields. */
  turbines(): Feature[] {
    return Array.from({ length: 12 }, (_, i) => ({
      properties: { case_id: 9_990_001 + i, p_name: 'Harbor Wind', t_cap: 2050 },
      geometry: { type: 'Point', coordinates: this.#at(0.55 + 0.03 * i, 0.9 - 0.01 * (i % 3)) },
    }));
  }

  solarFields(): Feature[] {
    const random = new Random(this.#seed, 'solar fields');
    return [0.3, 0.66].map((x, i) => ({
      properties: { case_id: 9_980_001 + i, p_name: ['Ledge Solar', 'Orchard Solar'][i]!, p_cap_ac: 5 + 3 * i },
      geometry: { type: 'Polygon', coordinates: [blob(random, this.#at(x, 0.8), 180, 0.15)] },
    }));
  }

  superfund(): Feature[] {
    return this.#points('superfund', 3, (i, at) => ({
      SITE_EPA_ID: `${countyAt(at).code}D99900000${i + 1}`,
      SITE_NAME: ['SYNTHETIC TANNERY', 'HARBOR PLATING', 'OLD DUMP'][i]!,
      NPL_STATUS_CODE: ['F', 'P', 'D'][i]!,
      STATE: countyAt(at).code,
    }));
  }

  /** Fenced yards, as mapped ways. */
  substations(): Feature[] {
    const random = new Random(this.#seed, 'substations');
    const points = this.#points('substations of site', 5, i => ({
      osm_id: `node/99900000${i + 1}`,
      name: i === 3 ? null : `${SUBSTATIONS[i]!} Substation`,
      voltage: ['115000;34500', '345000;115000', '34500', '12470', null][i]!,
      operator: i === 4 ? null : 'Synthetic Power',
    }));
    return points.map(({ properties, geometry }) => ({
      properties,
      geometry: { type: 'Polygon', coordinates: [blob(random, geometry.coordinates as Position, 45, 0.1)] },
    }));
  }

  transmission(): Feature[] {
    const lines = [
      [[0, 0.55], [0.4, 0.62], [1, 0.58], 345, 'SYNTHETIC POWER', 'IN SERVICE'],
      [[0.6, 0.05], [0.62, 0.5], [0.58, 1], 115, 'SYNTHETIC POWER', 'IN SERVICE'],
      [[0.1, 0.1], [0.3, 0.3], [0.4, 0.62], 34.5, 'NOT AVAILABLE', 'IN SERVICE'],
      [[0.8, 0.1], [0.85, 0.5], [0.9, 0.9], -999999, 'NOT AVAILABLE', 'NOT AVAILABLE'],
    ] as const;
    return lines.map(([a, b, c, VOLTAGE, OWNER, STATUS], i) => ({
      properties: {
        ID: `99900${i + 1}`,
        TYPE: 'AC; OVERHEAD',
        STATUS,
        OWNER,
        VOLTAGE,
        VOLT_CLASS: VOLTAGE < 0 ? 'NOT AVAILABLE' : VOLTAGE >= 345 ? '345' : VOLTAGE >= 100 ? '100-161' : 'UNDER 100',
        SUB_1: `${SUBSTATIONS[i]!.toUpperCase()} SUBSTATION`,
        SUB_2: 'UNKNOWN999',
      },
      geometry: { type: 'LineString', coordinates: [a, b, c].map(([x, y]) => this.#at(x, y)) },
    }));
  }

  railways(): Feature[] {
    const lines = [
      ['M', 'SYNR', [0, 0.35], [0.5, 0.22], [1, 0.4]],
      ['S', 'SYNR', [0.5, 0.22], [0.53, 0.2], [0.56, 0.235]],
      ['A', 'OLDR', [0.2, 0.3], [0.25, 0.6], [0.3, 0.95]],
    ] as const;
    return lines.map(([NET, RROWNER1, ...stops], i) => ({
      properties: {
        FRAARCID: 999_001 + i,
        RROWNER1,
        NET,
        STATEAB: countyAt(this.#at(stops[0][0], stops[0][1])).code,
        MILES: 1 + i,
      },
      geometry: { type: 'LineString', coordinates: stops.map(([x, y]) => this.#at(x, y)) },
    }));
  }

  /** Parks, an easement and a federal refuge; the easement overlaps the refuge. */
  parks(): Feature[] {
    const random = new Random(this.#seed, 'parks');
    const kinds = [
      ['Synthetic Town Park', 'Fee', 'LOC', 'LOC', 'CITY', '4', 0.76, 0.3, 260],
      ['Ledge State Park', 'Fee', 'STAT', 'STAT', 'SPR', '3', 0.62, 0.75, 700],
      ['Heron National Wildlife Refuge', 'Fee', 'FED', 'FED', 'FWS', '2', 0.9, 0.7, 800],
      ['Orchard Easement', 'Easement', 'PVT', 'NGO', 'NGO', '3', 0.92, 0.72, 350],
      ['Fern Preserve', 'Designation', 'NGO', 'NGO', 'NGO', '1', 0.57, 0.45, 400],
      ['Synthetic Ferry Park', 'Fee', 'LOC', 'LOC', 'CITY', '4', 0.24, 0.3, 260],
      ['Granite State Forest', 'Fee', 'STAT', 'STAT', 'SDNR', '3', 0.12, 0.75, 700],
      ['Gull National Seashore', 'Fee', 'FED', 'FED', 'NPS', '2', 0.38, 0.72, 700],
    ] as const;
    return kinds.map(([Unit_Nm, FeatClass, Own_Type, Mang_Type, Mang_Name, GAP_Sts, x, y, radius]) => ({
      properties: {
        FeatClass,
        Category: FeatClass,
        Own_Type,
        Mang_Type,
        Mang_Name,
        Des_Tp: FeatClass === 'Easement' ? 'CONE' : 'LP',
        Unit_Nm,
        Pub_Access: FeatClass === 'Easement' ? 'XA' : 'OA',
        GAP_Sts,
        State_Nm: countyAt(this.#at(x, y)).code,
      },
      geometry: { type: 'Polygon', coordinates: [blob(random, this.#at(x, y), radius)] },
    }));
  }

  wildfires(): Feature[] {
    const random = new Random(this.#seed, 'wildfires');
    const fires = [
      ['LEDGE', 1947, 0.25, 0.85, 800],
      ['ORCHARD', 2021, 0.7, 0.85, 120],
    ] as const;
    return fires.map(([INCIDENT, year, x, y, radius]) => {
      const ring = blob(random, this.#at(x, y), radius);
      return {
        properties: {
          INCIDENT,
          FIRE_YEAR: String(year),
          FIRE_YEAR_INT: year,
          GIS_ACRES: Math.round(squareMetres(ring) / 40.468564224) / 100,
          AGENCY: 'ST',
        },
        geometry: { type: 'Polygon', coordinates: [ring] },
      };
    });
  }
}
