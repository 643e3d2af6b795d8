import type { ScalarType } from '../../../datasets/dataset.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { type Feature, type Position, polygonal, type Ring } from '../format/feature.ts';
import { metresBetween } from '../frame.ts';
import type { Lattice } from '../nature/lattice.ts';
import { NEAR_M } from '../nature/shore.ts';
import { hash, Random } from '../random.ts';
import { Block } from './block.ts';
import { squareMetres } from './census.ts';
import type { County } from './county.ts';
import { type Footprints, footprintsOf } from './house.ts';
import { type Lot, lotsOf } from './lot.ts';
import { givenName, surname } from './name.ts';
import { streetName } from './road.ts';
import { districtOf, USES, useOf } from './zoning.ts';

const typed = (type: ScalarType, names: readonly string[]) => Object.fromEntries(names.map(name => [name, type]));

/** Columns of the roll; the geodatabase numbers its rows itself, in OBJECTID. */
export const ROLL_COLUMNS: Readonly<Record<string, ScalarType>> = {
  ...typed('string', ['MAP_BK_LOT', 'STATE_ID', 'ACCT_NO', 'PROP_LOC', 'LOC_NUM', 'LOC_ST', 'LOC_TYPE', 'LOC_UNIT']),
  ...typed('string', ['LOC_CITY', 'LOC_ZIP', 'USE_CODE', 'USE_DESC', 'ZONE', 'ZONE_DESC']),
  ...typed('string', ['OWNER1', 'MAIL_ADDR', 'MAIL_CITY', 'MAIL_ST', 'MAIL_ZIP']),
  ...typed('number', ['ACRES', 'TAX_AMT']),
  ...typed('integer', ['LAND_VAL', 'BLDG_VAL', 'TOT_VAL', 'EXMT_VAL', 'NET_VAL', 'SALE_PRICE', 'PREV_PRICE']),
  ...typed('integer', ['TAX_YEAR', 'YR_BUILT', 'UNITS', 'BEDROOMS', 'SALES']),
  ...typed('number', ['STORIES', 'BATHS']),
  ...typed('integer', ['BLDG_SQFT', 'LOT_SQFT']),
  ...typed('string', ['STYLE', 'HEAT']),
  ...typed('date', ['SALE_DATE', 'PREV_DATE']),
  ...typed('string', ['DEED_BOOK', 'DEED_PAGE', 'LEGAL', 'SUBDIV']),
};

/** One record of the roll with its ground. */
export interface Parcel {
  /** Row number in the published file, from 1. */
  readonly objectId: number;
  readonly column: number;
  readonly row: number;
  readonly lot: Lot;
  readonly polygons: readonly (readonly Ring[])[];
  /** Lays out what stands on it; null where nothing is built. */
  readonly footprints: () => Footprints | null;
  /** The record under the column names of the roll. */
  readonly roll: Readonly<Record<string, string | number | null>>;
}

const SQFT = 10.76391041671;

/** Lots that are cut in a block before any are joined: one row of them where a street runs along one side alone. */
function capacity(lattice: Lattice, column: number, row: number): number {
  return lattice.lots[column]! * (row === 0 || row === lattice.rows - 1 ? 1 : 2);
}

/** How many records a block is dealt: few records gather in the town, whose lots they fill, but one goes to each block of the country. */
function shares(lattice: Lattice, county: County, records: number): (column: number, row: number) => number {
  const { column: west, columns, rows } = lattice.half(county);
  let town = 0;
  let blocks = 0;
  for (let column = west; column < west + columns; column++)
    for (let row = 0; row < rows; row++)
      if (lattice.outness(column, row) < 1) town += capacity(lattice, column, row);
      else blocks++;
  const country = lattice.cells(county) - town;
  const inTown = Math.max(records - FULL * country, Math.min(FULL * town, 0.75 * records, records - 1.05 * blocks));
  const outside = records - inTown;
  const each = outside < 0.6 * country ? 1 : 0;
  return (column, row) => {
    const cells = capacity(lattice, column, row);
    return lattice.outness(column, row) < 1
      ? (cells * inTown) / town
      : each + (cells * (outside - each * blocks)) / country;
  };
}

/** Records for a lot of the grid where it is full: some lots are always joined, and odd blocks place fewer. */
const FULL = 0.92;

/** Parcels of a county, made block by block: none is held. Their number is exact. */
export class Cadastre {
  readonly #lattice: Lattice;
  readonly #seed: number;
  readonly #county: County;
  readonly #records: number;
  /** Names of the streets that were asked for. */
  readonly #streets: ReturnType<typeof streetName>[] = [];

  /** @param records rows of the roll, stacked ones counted one by one */
  constructor(lattice: Lattice, seed: number, county: County, records: number) {
    this.#lattice = lattice;
    this.#seed = seed;
    this.#county = county;
    this.#records = records;
  }

  /** Every parcel record in file order: block columns from the west, blocks from the coast, lots, units. */
  *parcels(): Generator<Parcel> {
    const { column: west, columns, rows } = this.#lattice.half(this.#county);
    const share = shares(this.#lattice, this.#county, this.#records);
    let objectId = 1;
    let seen = 0;
    let carried = 0;
    for (let column = west; column < west + columns; column++)
      for (let row = 0; row < rows; row++) {
        seen += share(column, row);
        // Records are dealt out by the cells passed; what a block cannot place, the next ones take.
        const due = Math.min(this.#records, Math.round(seen)) - carried;
        const lots = due > 0 ? lotsOf(this.#lattice, this.#seed, column, row, due) : [];
        for (const lot of lots)
          for (let unit = 1; unit <= lot.units && objectId <= this.#records; unit++) {
            carried++;
            yield this.#record(objectId++, column, row, lot, lot.units > 1 ? unit : null);
          }
      }
  }

  #record(objectId: number, column: number, row: number, lot: Lot, unit: number | null): Parcel {
    const lattice = this.#lattice;
    const county = this.#county;
    // Maps of the roll are numbered in each county from its own western line.
    const map = column - lattice.half(county).column + 1;
    const ground = new Random(this.#seed, column, row, lot.number, lot.front.cell, 'ground of parcels');
    const random = new Random(this.#seed, county.half, objectId, 'parcels');
    const [lng, lat] = lot.polygons[0]![0]![0]!;
    const metres = lot.polygons.reduce(
      (sum, [shell, ...holes]) => sum + squareMetres(shell!) - holes.reduce((h, hole) => h + squareMetres(hole), 0),
      0,
    );
    const acres = metres / ACRE_M2;
    const outness = lattice.outness(column, row);
    const drawn = lot.units > 1 ? '102' : useOf(outness, acres, ground);
    // Nobody builds in the water, nor so near that the stream takes the house.
    const footprints = () => footprintsOf(this.#seed, column, row, lot, drawn);
    const wet = lot.site && isNear(lattice, lot.site) && footprints()!.house.some(corner => lattice.shore.wet(corner));
    const code = wet && lot.units === 1 ? '130' : drawn;
    const zone = districtOf(code, outness, acres);
    const built = lot.site !== null && !wet && !['130', '601'].includes(code);
    const line = lot.front.north ? row + 1 : row;
    const street = this.#streets[line] ?? streetName(lattice, line);
    this.#streets[line] = street;
    const { cell, north, shared } = lot.front;
    const house = 100 * map + 4 * cell + (north ? 2 : 1) + (shared ? 2 : 0);
    const location = [house, street.name, street.type].filter(Boolean).join(' ') + (unit ? ` UNIT ${unit}` : '');
    const area = built ? ground.integer(900, 3200) : null;
    const land = Math.round((acres ** 0.6 * 38_000 * (1 + 2 * lattice.urban(lng, lat))) / lot.units / 100) * 100;
    const building = area ? Math.round((area * ground.between(70, 150)) / 100) * 100 : 0;
    const exempt = code === '900' ? land + building : random.chance(0.4) ? Math.min(25_000, land + building) : 0;
    const sold = random.chance(0.85);
    const again = sold && random.chance(0.4);
    const owner = surname(random).toUpperCase();
    const local = random.chance(0.8);
    const number = [map, row + 1, lot.number].map(n => String(n).padStart(3, '0')).join('-');
    const day = (from: number, to: number) =>
      `${random.integer(from, to)}-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
    const date = sold ? day(2001, 2025) : null;
    const before = again ? day(1975, 2000) : null;
    return {
      objectId,
      column,
      row,
      lot,
      polygons: lot.polygons,
      footprints: built ? footprints : () => null,
      roll: {
        MAP_BK_LOT: unit ? `${number}-${String(unit).padStart(3, '0')}` : number,
        STATE_ID: `${county.fips}-${String(objectId).padStart(7, '0')}`,
        ACCT_NO: String(100_000 + objectId),
        PROP_LOC: location,
        LOC_NUM: String(house),
        LOC_ST: street.name,
        LOC_TYPE: street.type || null,
        LOC_UNIT: unit ? String(unit) : null,
        LOC_CITY: county.town,
        LOC_ZIP: lotZip(lattice, county, row),
        USE_CODE: code,
        USE_DESC: USES[code],
        ZONE: zone.code,
        ZONE_DESC: zone.name,
        OWNER1: code === '900' ? `TOWN OF ${county.town}` : `${owner} ${givenName(random)}`,
        MAIL_ADDR: local ? location : `${random.integer(1, 999)} ELSEWHERE RD`,
        MAIL_CITY: local ? county.town : 'OTHERTOWN',
        MAIL_ST: county.code,
        MAIL_ZIP: local ? lotZip(lattice, county, row) : county.zips[0],
        ACRES: Math.round(metres / 40.468564224) / 100,
        LAND_VAL: land,
        BLDG_VAL: building,
        TOT_VAL: land + building,
        EXMT_VAL: exempt,
        NET_VAL: land + building - exempt,
        TAX_AMT: Math.round((land + building - exempt) * 1.45) / 100,
        TAX_YEAR: 2025,
        YR_BUILT: built ? ground.integer(1850, 2024) : 0,
        STORIES: built ? ground.pick([1, 1, 1.5, 2, 2, 3]) : null,
        UNITS: built ? (code === '111' ? ground.integer(2, 8) : 1) : 0,
        BEDROOMS: built && Number(code) < 130 ? ground.integer(1, 5) : null,
        BATHS: built && Number(code) < 130 ? ground.pick([1, 1.5, 2, 2.5, 3]) : null,
        BLDG_SQFT: area,
        LOT_SQFT: Math.round(metres * SQFT),
        STYLE: built ? ground.pick(['CAPE', 'RANCH', 'COLONIAL', 'GARRISON']) : null,
        HEAT: built ? ground.pick(['FORCED AIR', 'HOT WATER', 'HEAT PUMP']) : null,
        SALE_DATE: date,
        SALE_PRICE: sold ? Math.round((land + building) * random.between(0.6, 1.3)) : null,
        PREV_DATE: before,
        PREV_PRICE: again ? Math.round((land + building) * random.between(0.2, 0.6)) : null,
        SALES: Number(sold) + Number(again),
        DEED_BOOK: String(random.integer(1000, 7999)),
        DEED_PAGE: String(random.integer(1, 400)),
        LEGAL: `LOT ${lot.number} BLK ${map}-${row + 1}`,
        SUBDIV: hash(this.#seed, column, row, 53) % 3 ? null : `${surname(new Random(this.#seed, column, row))} ACRES`,
      },
    };
  }

  /**
   * The ground of one street, which stands among the parcels as in the files of some cities, numbered by what it is. It is no parcel,
   * and touches none.
   */
  street(): Feature {
    const lattice = this.#lattice;
    const { column } = lattice.half(this.#county);
    // Along the fronts of the lots on both sides, from corner to corner as these are drawn.
    const [near, far] = [0, 1].map(row => new Block(lattice, column, row).streetside(row === 0));
    const corners = [...near!, ...far!.reverse()];
    const nothing = Object.fromEntries(Object.keys(ROLL_COLUMNS).map(name => [name, null]));
    return {
      properties: { ...nothing, MAP_BK_LOT: 'ROAD', USE_DESC: 'Right of Way' },
      geometry: polygonal([[[...corners, corners[0]!]]]),
    };
  }
}

/** Whether a house of a site may come near to water. */
function isNear({ shore }: Lattice, [a, b]: readonly Position[]): boolean {
  return metresBetween(a!, b!) > NEAR_M || shore.near(a!);
}

/** ZIP code of a block row: two areas a county, at the coast and inland. */
function lotZip(lattice: Lattice, { zips }: County, row: number): string {
  return zips[row < lattice.rows / 2 ? 0 : 1];
}

/** Parcels as rows of the assessor's file, and behind them its street. */
export function* parcelFeatures(parcels: Iterable<Parcel>, street: Feature): Generator<Feature> {
  for (const { roll, polygons } of parcels) yield { properties: roll, geometry: polygonal(polygons) };
  yield street;
}
