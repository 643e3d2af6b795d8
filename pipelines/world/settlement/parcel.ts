import type { ScalarType } from '../../../datasets/dataset.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { type Feature, polygonal, type Ring } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import { hash, Random } from '../random.ts';
import { squareMetres, surname } from './census.ts';
import type { County } from './county.ts';
import { type Lot, lotsOf, oddityOf, setback } from './lot.ts';
import { streetName } from './road.ts';

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
  /** The record under the column names of the roll. */
  readonly roll: Readonly<Record<string, string | number | null>>;
}

const USES = {
  '101': { name: 'Single Family', zone: 'R1', zoneName: 'Low density residential' },
  '111': { name: 'Multi Family', zone: 'R2', zoneName: 'Multi-family residential' },
  '102': { name: 'Condominium', zone: 'R2', zoneName: 'Multi-family residential' },
  '130': { name: 'Vacant Residential', zone: 'R1', zoneName: 'Low density residential' },
  '300': { name: 'Commercial', zone: 'C1', zoneName: 'General commercial' },
  '400': { name: 'Industrial', zone: 'I1', zoneName: 'Light industrial' },
  '601': { name: 'Forest', zone: 'RR', zoneName: 'Rural resource' },
  '700': { name: 'Farm', zone: 'RR', zoneName: 'Rural resource' },
  '900': { name: 'Exempt', zone: 'P', zoneName: 'Public' },
} as const;
/** Land use code of the roll. */
type Use = keyof typeof USES;

const SQFT = 10.76391041671;

function useOf(urban: number, lot: Lot, random: Random): Use {
  if (lot.units > 1) return '102';
  const n = random.next();
  if (urban > 0.35)
    return n < 0.55 ? '101' : n < 0.7 ? '111' : n < 0.85 ? '300' : n < 0.9 ? '400' : n < 0.96 ? '130' : '900';
  return n < 0.45 ? '101' : n < 0.65 ? '130' : n < 0.85 ? '601' : n < 0.97 ? '700' : '900';
}

/** Parcels of a county, made block by block: none is held. Their number is exact. */
export class Cadastre {
  readonly #lattice: Lattice;
  readonly #seed: number;
  readonly #county: County;
  readonly #records: number;

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
    const cells = this.#lattice.cells(this.#county);
    let objectId = 1;
    let seen = 0;
    let carried = 0;
    for (let column = west; column < west + columns; column++)
      for (let row = 0; row < rows; row++) {
        seen += 2 * this.#lattice.lots[column]!;
        // Records are dealt out by the share of cells passed; what a block cannot place, the next ones take.
        const due = Math.round((this.#records * seen) / cells) - carried;
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
    const ground = new Random(this.#seed, column, row, lot.number, lot.front.cell, 51);
    const random = new Random(this.#seed, county.half, objectId, 52);
    const [lng, lat] = lot.polygons[0]![0]![0]!;
    const code = useOf(lattice.urban(lng, lat), lot, ground);
    const use = USES[code];
    const built = lot.site !== null && !['130', '601'].includes(code);
    const metres = lot.polygons.reduce(
      (sum, [shell, ...holes]) => sum + squareMetres(shell!) - holes.reduce((h, hole) => h + squareMetres(hole), 0),
      0,
    );
    const street = streetName(lattice, lot.front.north ? row + 1 : row);
    const house = 100 * map + 4 * lot.front.cell + (lot.front.north ? 2 : 1);
    const location = [house, street.name, street.type].filter(Boolean).join(' ') + (unit ? ` UNIT ${unit}` : '');
    const area = built ? ground.integer(900, 3200) : null;
    const land = Math.round(((metres / ACRE_M2) ** 0.6 * 38_000) / lot.units / 100) * 100;
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
        USE_DESC: use.name,
        ZONE: use.zone,
        ZONE_DESC: use.zoneName,
        OWNER1: code === '900' ? `TOWN OF ${county.town}` : `${owner} ${random.pick(['ALEX', 'JO', 'SAM', 'LEE'])}`,
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
    const cells = lattice.lots[column]!;
    // Along the fronts of the lots on both sides, from corner to corner as these are drawn.
    const [near, far] = [0, 1].map(row => {
      const [x, y] = setback(lattice, column, row);
      const edge = row === 0 ? 1 - 0.8 * y : 1 + 0.8 * y;
      return Array.from({ length: cells + 1 }, (_, i) => lattice.at(column + x + (1 - 2 * x) * (i / cells), edge));
    });
    const corners = [...near!, ...far!.reverse()];
    const nothing = Object.fromEntries(Object.keys(ROLL_COLUMNS).map(name => [name, null]));
    return {
      properties: { ...nothing, MAP_BK_LOT: 'ROAD', USE_DESC: 'Right of Way' },
      geometry: polygonal([[[...corners, corners[0]!]]]),
    };
  }

  /** Whether a block's parcels hold the case named by `oddityOf` (tests look for all of them). */
  oddity(column: number, row: number): ReturnType<typeof oddityOf> {
    return oddityOf(this.#seed, column, row);
  }
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
