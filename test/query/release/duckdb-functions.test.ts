import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { encodeWkb } from '../../../query/geometry/wkb.ts';
import { registerPredicates } from '../../../query/release/duckdb-functions.ts';
import { duckdb } from '../../../query/release/table.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { coveredBy, intersects } from '../../oracle/geometry.ts';
import { Lattice, latticeParcels } from '../search/lattice.ts';

const hex = (geometry: Geometry) => Buffer.from(encodeWkb(geometry)).toString('hex');
const GEOMETRY = (digits: string) => `ST_GeomFromWKB(unhex('${digits}'))`;

let db: DuckDBConnection;
beforeAll(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect();
  await registerPredicates(db);
});
afterAll(() => db.closeSync());

const rows = async (sql: string) => (await db.runAndReadAll(sql)).getRows();

describe('predicates in DuckDB', () => {
  const parcels = latticeParcels(new Lattice(12, -68.8, 44.7, 0.004, 3), 3, 'Bench').map(parcel => parcel.geometry);
  const square = fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        [-68.79, 44.71],
        [-68.77, 44.71],
        [-68.77, 44.73],
        [-68.79, 44.73],
        [-68.79, 44.71],
      ],
      [
        [-68.785, 44.715],
        [-68.78, 44.715],
        [-68.78, 44.72],
        [-68.785, 44.72],
        [-68.785, 44.715],
      ],
    ],
  });

  it('answer as GEOS does, for areas that differ from row to row and for parcels that are areas themselves', async () => {
    const areas = [square, parcels[30]!, parcels[77]!];
    await db.run('CREATE TABLE parcel (id INTEGER, wkb VARCHAR); CREATE TABLE area (id INTEGER, wkb VARCHAR)');
    for (const [name, list] of [
      ['parcel', parcels],
      ['area', areas],
    ] as const)
      for (const [i, geometry] of list.entries())
        await db.run(`INSERT INTO ${name} VALUES ($1, $2)`, [i, hex(geometry)]);
    const answered = await rows(
      `SELECT a.id, p.id, plat_intersects(ST_GeomFromWKB(unhex(p.wkb)), ST_GeomFromWKB(unhex(a.wkb))),
              plat_within(ST_GeomFromWKB(unhex(p.wkb)), ST_GeomFromWKB(unhex(a.wkb)))
       FROM parcel p, area a ORDER BY p.id, a.id`,
    );
    expect(answered).toHaveLength(parcels.length * areas.length);
    const expected = parcels.flatMap((parcel, p) =>
      areas.map((area, a) => [a, p, intersects(parcel, area), coveredBy(parcel, area)]),
    );
    expect(answered).toEqual(expected);
    const [some, within] = [2, 3].map(k => expected.filter(row => row[k]).length);
    expect(within).toBeGreaterThan(5);
    expect(some).toBeGreaterThan(within!);
  });

  it("are known to a worker's DuckDB", async () => {
    const area = GEOMETRY(hex(square));
    const answered = await (await duckdb()).runAndReadAll(
      `SELECT plat_intersects(${area}, ${area}), plat_within(${area}, ${area})`,
    );
    expect(answered.getRows()).toEqual([[true, true]]);
  });

  it('give null for null and false for what is empty', async () => {
    const area = GEOMETRY(hex(square));
    expect(await rows(`SELECT plat_intersects(NULL, ${area}), plat_within(${area}, NULL)`)).toEqual([[null, null]]);
    const empty = "'POLYGON EMPTY'::GEOMETRY";
    expect(await rows(`SELECT plat_intersects(${empty}, ${area}), plat_within(${area}, ${empty})`)).toEqual([
      [false, false],
    ]);
  });

  it('refuse areas that are not valid, and points, saying why', async () => {
    const bow = "'POLYGON((0 0,1 1,1 0,0 1,0 0))'::GEOMETRY";
    await expect(rows(`SELECT plat_within(${GEOMETRY(hex(square))}, ${bow})`)).rejects.toThrow(
      /plat_within: the area is not valid: Self-intersection/,
    );
    await expect(rows(`SELECT plat_intersects('POINT(1 1)'::GEOMETRY, ${GEOMETRY(hex(square))})`)).rejects.toThrow(
      /a Point was given where a Polygon or MultiPolygon was expected/,
    );
  });
});
