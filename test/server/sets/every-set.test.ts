import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { SetTaskName } from '../../../query/engine/set/set-tasks.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import { isSqlTask } from '../../../query/sets/sql/set-sql.ts';
import { groundOf } from '../../../server/docs/page/example-bodies.ts';
import type { Operation } from '../../../server/operation/operation.ts';
import { OPERATIONS } from '../../../server/operations/registry.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { writeParcelRelease } from '../../query/search/parcel-release.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { setAnswers } from './set-answers.ts';

/** A column of the release that no parcel has a value of, and a calculation that was not carried out. */
const [EMPTY, MISSING] = ['parval', 'elevation'];
const inState = (value: string) => ({ field: 'state', op: 'eq', value });
const above = (field: string) => ({ field, op: 'gt', value: 1 });

const SETS = OPERATIONS.filter(({ body }) =>
  Object.hasOwn(Object((body as { properties?: object }).properties), 'filters'),
).map(operation => [operation.route, operation] as const);

/** The part of an answer that is looked at; only a rank is asked for its matches. */
interface Answered {
  readonly warnings: readonly string[];
  readonly status?: string;
  readonly matches?: readonly { readonly parcel_id: string }[];
}

let fixture: Fixture;
let parcel: string;
const asked: SetTaskName[] = [];
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  const outline = [
    [-68, 45],
    [-67.99, 45],
    [-67.99, 45.01],
    [-68, 45],
  ];
  const parcels = ['1', '2'].map(apn => ({
    geometry: fromGeoJSON({ type: 'Polygon', coordinates: [outline] }),
    properties: { apn },
  }));
  const home = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels }]);
  fixture = await openFixture({ catalog });
  closers.push(home.remove, () => fixture[Symbol.asyncDispose]());
  fixture.engine.columns = new Set([...fixture.engine.columns, EMPTY, MISSING]);
  Object.assign(
    fixture.engine,
    setAnswers(openReleaseById(home.home, 'r1'), catalog, name => asked.push(name)),
  );
  const rank = OPERATIONS.find(({ id }) => id === 'rank')!;
  parcel = (await answered(rank, [inState('ME')])).matches![0]!.parcel_id;
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** What an operation answers to its example with filters of the test. */
async function answered({ route, example }: Operation, filters: readonly object[]): Promise<Answered> {
  const body = JSON.stringify({ ...example({ ...groundOf(null), filters }), filters });
  const reply = await fixture.app.inject({
    method: 'POST',
    url: route.slice('POST '.length),
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: body.replaceAll('$PARCEL_ID', parcel),
  });
  expect(reply.statusCode, `${route}: ${reply.body}`).toBe(200);
  return reply.json() as Answered;
}

// docs/sets.md, Exact, or it says what is missing. What fails here calls no `noticesOfSet`, or leaves out what that says.
describe.each(SETS)('%s', (_, operation) => {
  it('warns of a column without any value: an empty one is no finding', async () => {
    const { warnings } = await answered(operation, [inState('ME'), above(EMPTY)]);
    expect(warnings).toContainEqual(expect.stringContaining(`No parcel searched has a value of ${EMPTY}`));
  });

  it('warns of a calculation that was not carried out', async () => {
    const { warnings } = await answered(operation, [inState('ME'), above(MISSING)]);
    expect(warnings).toContainEqual(expect.stringContaining(`${MISSING} is not calculated yet`));
  });

  it('says that a state without parcels was not looked at', async () => {
    const filters = [{ ...inState('ME'), op: 'in', value: ['ME', 'VT'] }, { ...above('acreage') }];
    const { warnings, status = 'partial' } = await answered(operation, filters);
    expect(warnings).toContainEqual(expect.stringContaining('Not all parcels of these states are in this release'));
    expect(status).toBe('partial');
  });

  it('has `sql` where a statement says its question, and nowhere else', async () => {
    asked.length = 0;
    await answered(operation, [inState('ME')]);
    expect(asked.filter(isSqlTask)).toEqual(operation.sql === undefined ? [] : [operation.sql]);
  });
});

it('there are set operations to ask', () => {
  expect(SETS.length).toBeGreaterThan(5);
});
