import Type, { type Static } from 'typebox';
import type { PlaceState } from '../../query/release/home/place-states.ts';
import type { PlacesReport } from '../places-run.ts';

const maybe = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const closed = { additionalProperties: false } as const;

const STATE = {
  askedAt: maybe('When its publisher was last asked, or when it was last ingested; null if never.'),
  newAt: maybe('When something new last came of it; null if never.'),
  failedSince: maybe('Since when it fails; null while it does not.'),
  why: maybe('Why it failed last, a sentence for people; null while it does not.'),
};

/** What `plat refresh --json` prints: a contract with programs that start it. Times are ISO 8601, UTC. */
export const RefreshReport = Type.Object(
  {
    release: maybe('The release that is served from now on; null where there is none.'),
    changed: Type.Boolean({ description: 'Whether this refresh published it.' }),
    code: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(3)], {
      description:
        'The exit code. 0: all is as its publishers have it. 1: no place was ingested. 3: some of it failed.',
    }),
    places: Type.Array(
      Type.Object(
        {
          place: Type.String(),
          isNew: Type.Boolean({ description: 'Whether the release holds something else of the place than before.' }),
          stale: Type.Array(
            Type.Object(
              {
                layer: Type.String({ description: 'dataset:layer' }),
                since: maybe('When what stays was retrieved; null where the release has nothing of it.'),
                why: Type.String({ description: 'A sentence for people.' }),
              },
              closed,
            ),
            { description: 'Layers that failed, and stay as the release before has them.' },
          ),
        },
        closed,
      ),
      { description: 'Places that were ingested. Where nothing was due, a place is not among them.' },
    ),
    failures: Type.Array(Type.Object({ place: Type.String(), why: Type.String() }, closed), {
      description: 'Places of which nothing could be ingested; all of theirs stays.',
    }),
    states: Type.Record(
      Type.String(),
      Type.Object({ ...STATE, files: Type.Record(Type.String(), Type.Object(STATE, closed)) }, closed),
      { description: 'How every place of the home and each of its files stands, by name.' },
    ),
  },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Report of plat refresh --json', ...closed },
);
export type RefreshReport = Static<typeof RefreshReport>;

/** What `plat refresh --dry-run --json` prints. */
export const RefreshPlan = Type.Array(
  Type.Object(
    {
      place: Type.String(),
      datasets: Type.Array(Type.String(), {
        description: 'Whose files would be asked for; none where nothing is due.',
      }),
    },
    closed,
  ),
  { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Report of plat refresh --dry-run --json' },
);
export type RefreshPlan = Static<typeof RefreshPlan>;

/** Makes the report of a refresh. @param states how the places of the home stand after it. */
export const reportOf = (
  { release, changed, places, failures }: Pick<PlacesReport, 'release' | 'changed' | 'places' | 'failures'>,
  code: RefreshReport['code'],
  states: Readonly<Record<string, PlaceState>>,
): RefreshReport => ({
  release,
  changed,
  code,
  places: places.map(({ place, isNew, stale }) => ({ place, isNew, stale: [...stale] })),
  failures: failures.map(({ place, error }) => ({ place, why: (error as Error).message })),
  states,
});
