import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { type AreaGeometry, boxAround, fitOnMap, listenToShapes, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { change } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { pageWords } from '../values/page-words.ts';
import { measureIn, unitsNow } from '../values/units.ts';
import { valueWords } from '../values/value-words.ts';
import { BuildableGround } from './buildable.tsx';
import type { ParcelQuestion } from './parcel-question.ts';

type Assembled = AnswerOf<'assemblage'>;
type Group = Assembled['groups'][number];

/** How much more than the parcel itself is asked for at first. */
const AT_FIRST = 2;
/** Meters of a street with its sidewalks: parcels across it are neighbors if wanted. */
const ACROSS_M = 25;
const MOST_OWNERS = 12;

const acres = (count: number) => valueWords(count, 'acres', 'acreage');

/** Acres to two digits. */
const roundAcres = (count: number) => Number(count.toPrecision(2));

/** The groups, each with its outline on the map, and what can be built on the one that is chosen. */
function Groups({
  groups,
  catalog,
  state,
}: Pick<ParcelQuestion, 'catalog' | 'state'> & { readonly groups: readonly Group[] }) {
  const theme = useTheme();
  const chosen = Math.min(Number(state.group ?? 0) || 0, groups.length - 1);
  const isBuilt = state.build === 'yes';
  const setChosen = (id: number) => change({ group: String(id), build: '' }, true);
  useEffect(() => {
    // Then the map shows what of it can be built on.
    if (isBuilt) return;
    const { good, plain } = TONES[theme];
    const shapes = groups.map(
      ({ geometry }, id): MapShape => ({
        ...{ id, geometry: geometry as AreaGeometry },
        ...(id === chosen ? { color: good, opacity: 0.45 } : { color: plain, opacity: 0.06 }),
      }),
    );
    // What is chosen is drawn above what it shares its ground with.
    showOnMap({ shapes: [...shapes.filter(({ id }) => id !== chosen), ...shapes.filter(({ id }) => id === chosen)] });
    const endListening = listenToShapes(setChosen);
    const box = groups[chosen] && boxAround([groups[chosen].geometry as AreaGeometry]);
    if (box) fitOnMap(box);
    return endListening;
  }, [groups, chosen, theme, isBuilt]);
  const { geometry, parcel_ids: together } = groups[chosen]!;
  return (
    <>
      <ol class="pieces">
        {groups.map(({ acres: size, owners, parcel_ids: ids }, i) => (
          <li key={ids.join()} class="piece">
            <button type="button" class="link" aria-pressed={i === chosen} onClick={() => setChosen(i)}>
              {acres(size)}, {ids.length} parcels
            </button>
            <span class="note">
              {owners.length === 0
                ? 'Owners are not known'
                : `${owners.length === 1 ? 'One owner' : `${owners.length} owners`}: ${owners.join('; ')}`}
            </span>
          </li>
        ))}
      </ol>
      <div class="row end">
        <button type="button" aria-expanded={isBuilt} onClick={() => change({ build: isBuilt ? '' : 'yes' })}>
          What can be built on these {together.length} lots together
        </button>
      </div>
      {isBuilt && <BuildableGround of={{ geometry }} catalog={catalog} state={state} />}
    </>
  );
}

/** Parcels side by side, this one among them, that together are large enough. */
export function Assemblages({ parcelId, fields, parcelState, catalog, state }: ParcelQuestion) {
  const own = fields.acreage?.status === 'ok' ? Number(fields.acreage.value) : 1;
  const size = state.acres ? Number(state.acres) : 0;
  const owners = Number(state.owners ?? 0);
  const isAcross = state.across === 'yes';
  const isMetric = unitsNow() === 'metric';
  const inOwn = (count: number) => roundAcres(isMetric ? measureIn(count, 'acres', 'metric', false).value : count);
  const [typed, setTyped] = useState(String(inOwn(size || own * AT_FIRST)));
  const [most, setMost] = useState(owners ? String(owners) : '');
  const [across, setAcross] = useState(isAcross);
  const isAsked = size > 0;
  const request: ApiRequest = {
    method: 'POST',
    path: '/v1/assemblage',
    body: {
      filters: [{ field: 'state', op: 'eq', value: parcelState }],
      ...{ parcel_id: parcelId, acres_min: size },
      ...(owners > 0 ? { owners_max: owners } : {}),
      ...(isAcross ? { road_m: ACROSS_M } : {}),
    },
  };
  const [answer, again] = useAnswer<Assembled>(isAsked ? request : null);
  const told = answer.is === 'here' ? answer.value : null;
  useEffect(() => {
    if (!told) showOnMap({ shapes: [] });
  }, [told]);
  const number = Number(typed.replaceAll(',', ''));
  const isRight = Number.isFinite(number) && number > 0;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isRight) return;
    const wanted = isMetric ? number / measureIn(1, 'acres', 'metric', false).value : number;
    change({
      acres: String(Number(wanted.toFixed(4))),
      owners: most,
      across: across ? 'yes' : '',
      ...{ group: '', build: '' },
    });
  };
  return (
    <>
      <form onSubmit={submit}>
        <div class="row">
          <label class="field grow">
            {isMetric ? 'Hectares' : 'Acres'} together, at least
            <input inputMode="decimal" value={typed} onInput={event => setTyped(event.currentTarget.value)} />
          </label>
          <label class="field">
            Owners at most
            <select value={most} onChange={event => setMost(event.currentTarget.value)}>
              <option value="">any</option>
              {Array.from({ length: MOST_OWNERS }, (_, i) => (
                <option key={i} value={String(i + 1)}>
                  {i + 1}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label class="check">
          <input type="checkbox" checked={across} onChange={event => setAcross(event.currentTarget.checked)} />
          Also across a street
        </label>
        <div class="row end">
          <button type="submit" class="primary" disabled={!isRight}>
            Find groups
          </button>
        </div>
      </form>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {answer.is === 'waiting' && <Waiting what="Groups are being looked for" />}
      {told && (
        <>
          <p role="status">
            {told.groups.length === 0
              ? own >= size
                ? 'This parcel is large enough by itself.'
                : 'No group of two to twelve parcels with this one is large enough.'
              : `${told.groups.length === 1 ? 'One group' : `${told.groups.length} groups`}, the one with the least beyond what is asked first.`}
          </p>
          {told.status === 'partial' && told.groups.length === 0 && (
            <p class="note">Which parcels are neighbors is not known of all of this release.</p>
          )}
          {told.warnings.map(pageWords).map(words => words && <p class="note">{words}</p>)}
          {told.groups.length > 0 && <Groups groups={told.groups} catalog={catalog} state={state} />}
        </>
      )}
      <RequestPanel request={isAsked ? request : null} />
    </>
  );
}
