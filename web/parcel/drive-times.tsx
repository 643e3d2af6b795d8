import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import type { ApiError } from '../api/api-error.ts';
import { keepPaidAnswer, paidAnswer } from '../api/paid-answer.ts';
import { ask } from '../api/request.ts';
import { keepDrive } from '../area/near.ts';
import { type AreaGeometry, boxAround, fitOnMap, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { hrefOf } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { valueWords } from '../values/value-words.ts';
import type { ParcelQuestion } from './parcel-question.ts';

type Area = AnswerOf<'area'>;

/** Minutes that are drawn, the shortest first. */
const MINUTES: readonly number[] = [5, 10, 15];

/** How far one comes by car from a parcel, on request: each drive costs a credit. */
export function DriveTimes({ parcelId, catalog, state }: ParcelQuestion) {
  const theme = useTheme();
  const question = JSON.stringify([parcelId, MINUTES, catalog?.release]);
  const [told, setTold] = useState<{ readonly of: string; readonly areas: readonly Area[] } | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [waiting, setWaiting] = useState(false);
  const areas = told?.of === question ? told.areas : paidAnswer<readonly Area[]>('reach', question);
  const requestOf = (minutes: number) =>
    ({ method: 'POST', path: '/v1/areas', body: { parcel_id: parcelId, drive_minutes: minutes } }) as const;
  const { ramp } = TONES[theme];
  /** The nearest is the strongest. */
  const colorAt = (i: number) => ramp[ramp.length - 1 - i]!;
  useEffect(() => {
    if (!areas) return;
    const shapes = areas.map(
      ({ geometry }, id): MapShape => ({
        ...{ id, geometry: geometry as AreaGeometry, color: colorAt(id), opacity: 0.25 },
      }),
    );
    // What is nearer lies above what is farther.
    showOnMap({ shapes: shapes.reverse() });
  }, [areas, theme]);
  useEffect(() => {
    const box = areas && boxAround(areas.map(({ geometry }) => geometry as AreaGeometry));
    if (box) fitOnMap(box);
  }, [areas]);
  const draw = async () => {
    setWaiting(true);
    setError(null);
    try {
      const all = await Promise.all(MINUTES.map(minutes => ask<Area>(requestOf(minutes))));
      keepPaidAnswer('reach', question, all);
      setTold({ of: question, areas: all });
    } catch (problem) {
      setError(problem as ApiError);
    } finally {
      setWaiting(false);
    }
  };
  return (
    <>
      {!areas && (
        <>
          <p class="note">
            How far one comes by car from here in {MINUTES.join(', ')} minutes, by the roads of the map.
          </p>
          <div class="row end">
            <button type="button" class="primary" disabled={waiting} onClick={() => void draw()}>
              {waiting ? 'Drawing…' : `Draw them for ${MINUTES.length} credits`}
            </button>
          </div>
        </>
      )}
      {error && <Failed error={error} again={() => void draw()} />}
      {areas && (
        <ul class="pieces" aria-label="Drive times">
          {areas.map((area, i) => {
            const near = JSON.stringify({ parcel_id: parcelId, drive_minutes: MINUTES[i]! });
            return (
              <li key={MINUTES[i]} class="piece row between">
                <span class="row">
                  <span class="swatch" style={{ background: colorAt(i) }} />
                  {MINUTES[i]} minutes: {valueWords(area.acres, 'acres', 'acreage')}
                </span>
                <a
                  href={hrefOf({ view: 'search', state: { near, n: '25', map: state.map ?? '' } })}
                  data-view="search"
                  onClick={() => keepDrive(near, area)}
                >
                  Parcels within {MINUTES[i]} minutes
                </a>
              </li>
            );
          })}
        </ul>
      )}
      <RequestPanel request={requestOf(MINUTES[0]!)} />
    </>
  );
}
