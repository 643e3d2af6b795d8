import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import proj4 from 'proj4';

/** Lower left corner of the town in Butler County, Ohio, and the side of a lot in degrees of latitude. */
const [X, Y] = [-84.56, 39.4];
const LOT = 0.0004;
const WIDE = LOT * 1.29;
const ROWS = 12;
const COLUMNS = 18;
/** Ohio South in US feet, which the files of parcels and zoning are in without saying so. */
export const OHIO_SOUTH = 'EPSG:3735';

const ohioSouth = proj4(
  '+proj=lcc +lat_0=38 +lon_0=-82.5 +lat_1=40.03333333333333 +lat_2=38.73333333333333 +x_0=600000 +y_0=0 +datum=NAD83 +units=us-ft',
);

type Ring = [number, number][];

const box = (x: number, y: number, width: number, height: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
  [x, y],
];

const feet = (ring: Ring): Ring => ring.map(position => ohioSouth.forward(position));

const polygon = (ring: Ring, properties: Record<string, unknown>) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring] },
});

const collection = (features: readonly unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });

const STREETS = ['Maple', 'Oak', 'Church', 'Mill', 'High', 'Canal'];
const TYPES = ['St', 'Ave', 'Ln'];
const USES = [
  ['510', 'Single family dwelling'],
  ['520', 'Two family dwelling'],
  ['400', 'Vacant commercial land'],
  ['420', 'Small retail store'],
  ['340', 'Light manufacturing'],
] as const;

interface Lot {
  readonly number: string;
  readonly house: number;
  readonly street: string;
  readonly type: string;
  readonly ring: Ring;
  readonly x: number;
  readonly y: number;
}

function* lots(): Generator<Lot> {
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const n = row * COLUMNS + column;
      const [x, y] = [X + column * WIDE, Y + row * LOT];
      yield {
        number: `R-${String(2400 + row * 37).padStart(5, '0')}-${String(column * 7 + 11).padStart(4, '0')}`,
        house: 100 + column * 4 + (row % 2),
        street: STREETS[row % STREETS.length]!,
        type: TYPES[n % TYPES.length]!,
        ring: box(x, y, WIDE, LOT),
        x: x + WIDE / 2,
        y: y + LOT / 2,
      };
    }
}

/** The auditor's table: a line of title above its header, numbers without their marks, money as text, US dates. */
function auditor(): string {
  const header =
    'ParcelNo,OwnerName,OwnerAddr1,OwnerCity,OwnerState,OwnerZip,PropClass,LUC,LUCDescr,LandVal,BldgVal,TotVal,YrBlt,SFLA,NumBeds,SaleDate,SalePrice,LegalDesc,DeedAcres';
  const lines = [...lots()].flatMap(({ number }, i) => {
    // Every tenth lot is in no table: streets and the like.
    if (i % 10 === 9) return [];
    const [code, use] = USES[i % USES.length]!;
    const land = 12_000 + i * 137;
    const building = code === '400' ? 0 : 80_000 + i * 911;
    const money = (n: number) => `"$${n.toLocaleString('en-US')}"`;
    const date = i % 7 === 0 ? '' : `${(i % 12) + 1}/${(i % 27) + 1}/${1990 + (i % 34)}`;
    return [
      [
        number.replaceAll('-', ''),
        `SMITH ${String.fromCharCode(65 + (i % 26))} ${i}`,
        `${i + 1} ELSEWHERE RD`,
        'HAMILTON',
        'OH',
        '45011',
        code === '510' || code === '520' ? 'R' : 'C',
        code,
        use,
        money(land),
        money(building),
        money(land + building),
        code === '400' ? 0 : 1900 + (i % 120),
        code === '400' ? 0 : 900 + i * 3,
        code === '510' ? 3 : 0,
        date,
        date === '' ? 0 : 50_000 + i * 100,
        `"MILLBROOK SEC 4 LOT ${i + 1} ENTIRE PLUS RIGHTS"`,
        (0.3 + (i % 5) / 10).toFixed(2),
      ].join(','),
    ];
  });
  return `${['Millbrook Auditor real estate extract', header, ...lines].join('\r\n')}\r\n`;
}

/**
 * Writes the published files of a made-up town, named and laid out as no other test data here: its parcels and zoning in feet
 * without a CRS, the auditor's table apart.
 * @returns their paths.
 */
export function writeTown(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const all = [...lots()];
  const files: Record<string, string> = {
    'tax_parcels.geojson': collection(
      all.map(({ number, house, street, type, ring }, i) =>
        polygon(feet(ring), {
          OBJECTID: i + 1,
          PARCELID: number,
          SITEADDR: i % 10 === 9 ? null : `${house} ${street.toUpperCase()} ${type.toUpperCase()}`,
          TAXDIST: i % 2 ? 'A04' : 'A07',
          Shape_Area: 21_000 + i / 7,
        }),
      ),
    ),
    'auditor.csv': auditor(),
    // Two rows for every third lot: the auditor counts buildings by card.
    'building_cards.csv': [
      'PARCELID,CARD,BldgStyle,NumUnits',
      ...all.flatMap(({ number }, i) =>
        (i % 3 === 0 ? [1, 2] : [1]).map(
          card => `${number},${card},${card === 1 ? 'Ranch' : 'Garage'},${(i % 4) + card}`,
        ),
      ),
      '',
    ].join('\n'),
    'zoning_districts.geojson': collection([
      polygon(feet(box(X, Y, WIDE * COLUMNS, LOT * 5)), { FID: 1, ZONE_CODE: 'R-1' }),
      polygon(feet(box(X, Y + LOT * 5, WIDE * COLUMNS, LOT * 4)), { FID: 2, ZONE_CODE: 'B-2' }),
      polygon(feet(box(X, Y + LOT * 9, WIDE * COLUMNS, LOT * 3)), { FID: 3, ZONE_CODE: 'M-1' }),
    ]),
    'fema_flood_zones.geojson': collection([
      polygon(box(X, Y, WIDE * 4, LOT * ROWS), { FLOODZONE: 'AE', SOURCE: 'FIRM' }),
      polygon(box(X + WIDE * 4, Y, WIDE * 14, LOT * ROWS), { FLOODZONE: 'X', SOURCE: 'FIRM' }),
    ]),
    'village_limits.geojson': collection([
      polygon(box(X - 0.001, Y - 0.001, WIDE * COLUMNS + 0.002, LOT * ROWS + 0.002), { NAME: 'Millbrook' }),
    ]),
    'address_points.csv': [
      'AddrID,HouseNum,StName,StType,City,Zip,Longitude,Latitude',
      ...all.map(({ house, street, type, x, y }, i) => `${i + 1},${house},${street},${type},Millbrook,45013,${x},${y}`),
      '',
    ].join('\n'),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}
