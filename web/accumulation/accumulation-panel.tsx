import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { type AreaGeometry, boxAround, fitOnMap, listenToShapes, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { classOf, quantileClasses } from '../search/quantiles.ts';
import { change, hrefOf } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { pageWords } from '../values/page-words.ts';
import { measureIn, useUnits } from '../values/units.ts';
import type { AddedUp } from './added-up.ts';
import '../style/desk.css';

type Told = AnswerOf<'accumulation'>;
type Circle = Told['circles'][number];

/** Circles that are drawn, and those that are listed. */
const MOST_DRAWN = 1_000;
const MOST_LISTED = 20;

const sumText = (sum: number) => sum.toLocaleString('en-US', { maximumFractionDigits: 2 });
const places = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'place' : 'places'}`;
const nameOf = ({ custom_id: id, row }: Circle) => id ?? `Row ${row}`;

/** Where the values of somebody's places add up: the worst circle first, on the map and as a list. */
export function AccumulationPanel({
  of: { upload, column, metres },
  state,
}: {
  readonly of: AddedUp;
  readonly state: Readonly<Record<string, string>>;
}) {
  const theme = useTheme();
  const units = useUnits();
  const [chosen, setChosen] = useState(0);
  const request: ApiRequest = {
    method: 'POST',
    path: '/v1/accumulation',
    body: { upload_id: upload, value: column, within_m: metres, limit: MOST_DRAWN },
  };
  const [answer, again] = useAnswer<Told>(request);
  const told = answer.is === 'here' ? answer.value : null;
  const circles = told?.circles ?? [];
  const circle = circles[chosen];
  const near = circle && { lat: circle.lat, lng: circle.lng, within_m: metres };
  const [area] = useAnswer<AnswerOf<'area'>>(near ? { method: 'POST', path: '/v1/areas', body: near } : null);
  const outline = area.is === 'here' ? (area.value.geometry as AreaGeometry) : null;
  const { ramp, warn } = TONES[theme];
  const points = useMemo(() => {
    const classes = quantileClasses(
      circles.map(({ sum }) => sum),
      ramp.length,
    );
    return circles.map(
      ({ lng, lat, sum }, id): MapShape => ({
        ...{ id, color: ramp[classOf(sum, classes)]!, opacity: 1 },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      }),
    );
  }, [told, theme]);
  useEffect(() => {
    const ring: MapShape[] = outline ? [{ id: chosen, geometry: outline, color: warn, opacity: 0.25 }] : [];
    // The largest sums lie above the others.
    showOnMap({ shapes: [...ring, ...points.toReversed()] });
    return listenToShapes(setChosen);
  }, [points, outline, chosen, theme]);
  useEffect(() => {
    const box = outline && boxAround([outline]);
    if (box) fitOnMap(box);
  }, [outline]);
  useEffect(() => () => showOnMap({ shapes: [] }), []);
  const { value, unit } = measureIn(metres, 'm', units, false);
  const far = `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;
  return (
    <section class="card" aria-label="Where values add up">
      <div class="row between">
        <h2>Where values add up</h2>
        <button type="button" class="icon" aria-label="Close" onClick={() => change({ sum: '' })}>
          ×
        </button>
      </div>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {answer.is === 'waiting' && <Waiting what="Values are being added up" />}
      {told && (
        <>
          <p role="status">
            {told.worst === null ? (
              'None of the places has a value.'
            ) : (
              <>
                The worst circle holds <strong>{sumText(told.worst.sum)}</strong> of {sumText(told.total)} ({column}):{' '}
                {places(told.worst.points)} within {far} of {nameOf(told.worst)}.
              </>
            )}
          </p>
          {told.warnings.map(pageWords).map(words => words && <p class="note">{words}</p>)}
          <table class="desk-table">
            <thead>
              <tr>
                <th scope="col">Around</th>
                <th scope="col" class="number">
                  Places
                </th>
                <th scope="col" class="number">
                  {column}
                </th>
              </tr>
            </thead>
            <tbody>
              {circles.slice(0, MOST_LISTED).map((one, i) => (
                <tr key={one.row} class={i === chosen ? 'own' : ''}>
                  <th scope="row">
                    <button type="button" class="link" aria-pressed={i === chosen} onClick={() => setChosen(i)}>
                      {nameOf(one)}
                    </button>
                  </th>
                  <td class="number">{one.points.toLocaleString('en-US')}</td>
                  <td class="number">{sumText(one.sum)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {circles.length > MOST_LISTED && (
            <p class="note">
              These are the first {MOST_LISTED} of {places(told.rows)}; the map has{' '}
              {told.rows > circles.length ? `the first ${circles.length.toLocaleString('en-US')}` : 'all'}.
            </p>
          )}
          {near && (
            <p class="links">
              <a
                href={hrefOf({ view: 'search', state: { near: JSON.stringify(near), n: '25', map: state.map ?? '' } })}
                data-view="search"
              >
                Parcels within {far} of {nameOf(circle)}
              </a>
            </p>
          )}
        </>
      )}
      <RequestPanel request={request} />
    </section>
  );
}
