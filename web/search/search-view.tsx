import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { useParcelStates } from '../api/coverage.ts';
import { type AreaGeometry, beginScene, boxAround, fitOnMap, type MapMatch, showOnMap } from '../map/scene.ts';
import { change, go, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Empty, Failed, Waiting } from '../shell/states.tsx';
import { AreaInput, readArea, selfCrossing } from './area-input.tsx';
import { CalculationsNote } from './calculations-note.tsx';
import { useEmptyFields } from './empty-fields.ts';
import { type DraftFilter, draftOf, filterOf, readFilters } from './filter.ts';
import { FilterRow } from './filter-row.tsx';
import { MatchList, parcelState } from './match-list.tsx';
import { useMatchMap } from './match-map.ts';
import { usePages } from './pages.ts';

const LIMITS = ['10', '25', '50', '100'];

function areaOf(text: string | undefined): AreaGeometry | null {
  try {
    return text ? readArea(text) : null;
  } catch {
    return null;
  }
}

/** Parcels by conditions and an area, as a list and on the map. */
export function SearchView() {
  const { state } = useAddress();
  const catalog = useCatalog();
  const states = useParcelStates() ?? [];
  const filters = useMemo(() => readFilters(state.f), [state.f]);
  const area = useMemo(() => areaOf(state.area), [state.area]);
  const how = state.how ?? 'intersects';
  const [drafts, setDrafts] = useState<readonly DraftFilter[]>(() => filters.map(draftOf));
  const [drawing, setDrawing] = useState(false);
  const [size, setSize] = useState(state.n ?? '25');
  useEffect(() => setDrafts(filters.map(draftOf)), [state.f]);
  const where = state.st ?? states[0] ?? '';
  const asked =
    state.n && where
      ? [
          { field: 'state', op: 'eq', value: where },
          ...filters,
          ...(area ? [{ field: 'geometry', op: how, value: area }] : []),
        ]
      : null;
  const request: ApiRequest | null = asked && {
    method: 'POST',
    path: '/v1/search',
    body: { filters: asked, fields: ['geometry'], limit: Number(state.n) },
  };
  const pages = usePages(request, Number(state.p ?? 1));
  const { matches } = pages;
  // A list whose first page was refused has no map.
  const matchTiles = useMatchMap(matches.length > 0 ? asked : null);
  useEffect(
    () =>
      beginScene({
        onDrawn: drawn => {
          setDrawing(false);
          if (drawn) change({ area: JSON.stringify(drawn), p: '' });
        },
        onMatch: id => eventsOf.open(id),
      }),
    [],
  );
  // The map's events are said once; what they mean changes with every page.
  const [eventsOf] = useState({ open: (_id: number) => {} });
  eventsOf.open = id => {
    const match = matches[id];
    if (match) go({ view: 'parcel', state: parcelState(match, state.map ?? '') });
  };
  const shown = useMemo(
    (): MapMatch[] => matches.flatMap(({ fields }, id) => (fields.geometry ? [{ id, geometry: fields.geometry }] : [])),
    [matches.length, pages.last],
  );
  useEffect(() => {
    showOnMap({ area, crossing: area && selfCrossing(area) });
    const box = area && boxAround([area]);
    if (box) fitOnMap(box);
  }, [area]);
  useEffect(() => {
    const box = boxAround([...shown.map(({ geometry }) => geometry), ...(area ? [area] : [])]);
    if (box && shown.length > 0) fitOnMap(box);
  }, [shown]);
  const finished = (of: readonly DraftFilter[]) => of.map(draft => filterOf(draft, catalog?.fields.get(draft.field)));
  const complete = finished(drafts);
  const ready = complete.filter(filter => filter !== null);
  // An answer to other conditions than those above it would say what is false.
  const isStale = JSON.stringify(ready) !== JSON.stringify(finished(filters.map(draftOf)).filter(Boolean));
  useEffect(() => showOnMap({ matches: isStale ? [] : shown }), [shown, isStale]);
  useEffect(() => showOnMap({ matchTiles: isStale ? null : matchTiles }), [matchTiles, isStale]);
  const foundNothing = pages.last?.status === 'complete' && matches.length === 0;
  const emptyFields = useEmptyFields(foundNothing ? filters : null, where, catalog);
  const submit = (event: Event) => {
    event.preventDefault();
    const next = { st: where, f: ready.length > 0 ? JSON.stringify(ready) : '', n: size, p: '' };
    // What is asked again is asked anew.
    if (state.n && next.st === state.st && next.f === (state.f ?? '')) pages.again();
    change(next);
  };
  return (
    <>
      <h1>Search parcels</h1>
      <CalculationsNote />
      <form onSubmit={submit}>
        <div class="row">
          <label class="field grow">
            State
            <select value={where} onChange={event => change({ st: event.currentTarget.value, p: '' }, true)}>
              {states.length === 0 && <option value={where}>{where || 'No parcels installed'}</option>}
              {states.map(code => (
                <option key={code} value={code}>
                  {code}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            Per page
            <select
              value={size}
              onChange={event => {
                setSize(event.currentTarget.value);
                // Before the first search nothing is asked.
                if (state.n) change({ n: event.currentTarget.value, p: '' }, true);
              }}
            >
              {LIMITS.map(limit => (
                <option key={limit} value={limit}>
                  {limit}
                </option>
              ))}
            </select>
          </label>
        </div>
        <AreaInput
          area={area}
          how={how}
          drawing={drawing}
          onArea={next => change({ area: next ? JSON.stringify(next) : '', p: '' })}
          onHow={next => change({ how: next, p: '' })}
          onDraw={setDrawing}
        />
        <fieldset class="filters">
          <legend class="visually-hidden">Conditions</legend>
          {drafts.map((draft, i) => (
            <FilterRow
              key={i}
              draft={draft}
              fields={catalog?.filters ?? []}
              onChange={next => setDrafts(drafts.map((other, j) => (j === i ? next : other)))}
              onRemove={() => setDrafts(drafts.filter((_, j) => j !== i))}
            />
          ))}
        </fieldset>
        <div class="row between">
          <button
            type="button"
            disabled={!catalog}
            onClick={() => setDrafts([...drafts, { field: '', op: 'eq', values: [] }])}
          >
            Add a condition
          </button>
          <button type="submit" class="primary" disabled={!where || complete.includes(null)}>
            Search
          </button>
        </div>
      </form>
      {!request && (
        <Empty title="All parcels that pass every condition.">
          <p>
            Add conditions on any of {catalog ? `${catalog.filters.length} fields` : 'the fields'}, draw an area, or
            both.
          </p>
        </Empty>
      )}
      {pages.error && <Failed error={pages.error} again={pages.again} />}
      {pages.waiting && matches.length === 0 && <Waiting what="Parcels are being searched" />}
      {!isStale && emptyFields.length > 0 && (
        <p class="note">
          No parcel of {where} has a value of: {emptyFields.join(', ')}. No condition on it can be passed.
        </p>
      )}
      {pages.last && isStale && (
        <p class="summary" role="status">
          The conditions have changed. Press Search to see which parcels pass them.
        </p>
      )}
      {pages.last && !isStale && (
        <MatchList
          pages={pages}
          mapped={matchTiles !== null}
          onNext={() => {
            pages.next();
            change({ p: String(pages.count + 1) }, true);
          }}
          catalog={catalog}
          map={state.map ?? ''}
          onLook={id => showOnMap({ highlighted: id })}
        />
      )}
      <RequestPanel request={isStale ? null : pages.request} />
    </>
  );
}
