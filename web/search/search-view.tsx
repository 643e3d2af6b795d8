import { useEffect, useMemo, useState } from 'preact/hooks';
import { readAddedUp } from '../accumulation/added-up.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { useParcelStates } from '../api/coverage.ts';
import { useAreaDrawing } from '../area/area-drawing.ts';
import { AreaInput, readArea, selfCrossing } from '../area/area-input.tsx';
import { readNear, useNearArea } from '../area/near.ts';
import { usePointMarks } from '../file/point-marks.ts';
import { type AreaGeometry, beginScene, boxAround, fitOnMap, type MapMatch, showOnMap } from '../map/scene.ts';
import { change, go, type Place, placeText, readPlace, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Empty, Failed, Waiting } from '../shell/states.tsx';
import { CalculationsNote } from './calculations-note.tsx';
import { useEmptyFields } from './empty-fields.ts';
import { type DraftFilter, draftOf, type Filter, filterOf, readFilters } from './filter.ts';
import { FilterRow } from './filter-row.tsx';
import {
  AccumulationPanel,
  ExportPanel,
  GroupMap,
  MatchTable,
  Relax,
  SetCount,
  SiteReport,
  WatchForm,
  WhyNot,
} from './later-parts.ts';
import { MatchList, parcelState } from './match-list.tsx';
import { useMatchMap } from './match-map.ts';
import { type Match, usePages } from './pages.ts';
import { columnsOf, rankRequest } from './ranking.ts';
import { ResultBar } from './result-bar.tsx';

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
  const near = useMemo(() => readNear(state.near), [state.near]);
  const reached = useNearArea(state.near);
  const drawn = useMemo(() => areaOf(state.area), [state.area]);
  const area = near ? ((reached.area?.geometry as AreaGeometry | undefined) ?? null) : drawn;
  const how = state.how ?? 'intersects';
  const addedUp = useMemo(() => readAddedUp(state.sum), [state.sum]);
  const [drafts, setDrafts] = useState<readonly DraftFilter[]>(() => filters.map(draftOf));
  const drawing = useAreaDrawing();
  const [picking, setPicking] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const [ranked, setRanked] = useState<readonly Match[] | null>(null);
  const [size, setSize] = useState(state.n ?? '25');
  useEffect(() => setDrafts(filters.map(draftOf)), [state.f]);
  const where = state.st ?? states[0] ?? '';
  /** All conditions of a request, the state first and the area last; null while there is none to ask. */
  const wholly = (of: readonly Filter[]): Filter[] | null =>
    where && !(near && !area)
      ? [
          { field: 'state', op: 'eq', value: where },
          ...of,
          ...(area ? [{ field: 'geometry', op: how, value: area }] : []),
        ]
      : null;
  const asked = state.n ? wholly(filters) : null;
  const isTable = state.as === 'table';
  const isGrouped = state.as === 'map';
  const request: ApiRequest | null =
    asked && !isTable && !isGrouped
      ? { method: 'POST', path: '/v1/search', body: { filters: asked, fields: ['geometry'], limit: Number(state.n) } }
      : null;
  const pages = usePages(request, Number(state.p ?? 1));
  const matches = isTable ? (ranked ?? []) : pages.matches;
  // A list whose first page was refused has no map.
  const matchTiles = useMatchMap(matches.length > 0 ? asked : null);
  useEffect(
    () =>
      beginScene({
        onDrawn: drawn => eventsOf.drawn(drawn),
        onMatch: id => eventsOf.open(id),
        onClick: place => eventsOf.click(place),
      }),
    [],
  );
  // The map's events are said once; what they mean changes with every page.
  const [eventsOf] = useState({
    open: (_id: number) => {},
    click: (_place: Place) => {},
    drawn: drawing.onDrawn,
  });
  eventsOf.drawn = drawing.onDrawn;
  eventsOf.open = id => {
    const match = matches[id];
    if (match) go({ view: 'parcel', state: parcelState(match, state.map ?? '') });
  };
  eventsOf.click = place => {
    if (picking) setPicked(placeText(place));
    else if (asked && !isStale) change({ why: placeText(place) });
  };
  const clicked = readPlace(state.why);
  useEffect(() => showOnMap({ marker: clicked }), [state.why]);
  const shown = useMemo(
    (): MapMatch[] => matches.flatMap(({ fields }, id) => (fields.geometry ? [{ id, geometry: fields.geometry }] : [])),
    [matches.length, pages.last, ranked, isTable],
  );
  useEffect(() => {
    showOnMap({ area, crossing: area && selfCrossing(area) });
    const box = area && boxAround([area]);
    // What somebody moves stays where it is.
    if (box && drawing.kind !== 'corners') fitOnMap(box);
  }, [area]);
  useEffect(() => {
    const box = boxAround([...shown.map(({ geometry }) => geometry), ...(area ? [area] : [])]);
    if (box && shown.length > 0 && drawing.kind !== 'corners') fitOnMap(box);
  }, [shown]);
  usePointMarks(area, isGrouped);
  const finished = (of: readonly DraftFilter[]) => of.map(draft => filterOf(draft, catalog?.fields.get(draft.field)));
  const complete = finished(drafts);
  const ready = complete.filter(filter => filter !== null);
  // An answer to other conditions than those above it would say what is false.
  const isStale = JSON.stringify(ready) !== JSON.stringify(finished(filters.map(draftOf)).filter(Boolean));
  useEffect(() => showOnMap({ matches: isStale ? [] : shown }), [shown, isStale]);
  useEffect(() => showOnMap({ matchTiles: isStale ? null : matchTiles }), [matchTiles, isStale]);
  const foundNothing = isGrouped
    ? false
    : isTable
      ? ranked?.length === 0
      : pages.last?.status === 'complete' && matches.length === 0;
  const counted = wholly(ready);
  const emptyFields = useEmptyFields(foundNothing ? filters : null, where, catalog);
  const submit = (event: Event) => {
    event.preventDefault();
    const next = {
      st: where,
      f: ready.length > 0 ? JSON.stringify(ready) : '',
      n: size,
      p: '',
      why: '',
      file: '',
      watch: '',
    };
    // What is asked again is asked anew.
    if (state.n && next.st === state.st && next.f === (state.f ?? '')) pages.again();
    change(next);
  };
  if (state.site && area)
    return (
      <SiteReport
        area={area}
        id={state.site === 'new' ? null : state.site}
        catalog={catalog}
        onClose={() => change({ site: '' })}
      />
    );
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
          near={near}
          acres={reached.area?.acres ?? null}
          picked={picked}
          map={state.map ?? ''}
          how={how}
          drawing={drawing}
          onArea={next => change({ area: next ? JSON.stringify(next) : '', near: '', p: '' })}
          onNear={next => change({ near: JSON.stringify(next), area: '', p: '' })}
          onPicking={on => {
            setPicking(on);
            setPicked(null);
          }}
          onHow={next => change({ how: next, p: '' })}
        />
        <fieldset class="filters">
          <legend class="visually-hidden">Conditions</legend>
          {drafts.map((draft, i) => (
            <FilterRow
              key={i}
              draft={draft}
              fields={catalog?.filters ?? []}
              others={wholly(complete.filter((filter, j): filter is Filter => j !== i && filter !== null))}
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
      {addedUp && <AccumulationPanel of={addedUp} state={state} />}
      {reached.error && <Failed error={reached.error} />}
      {near && !area && !reached.error && <Waiting what="The area is being drawn" />}
      {counted && catalog && (drafts.length > 0 || area || state.n) && <SetCount filters={counted} catalog={catalog} />}
      {!asked && !near && (
        <Empty title="All parcels that pass every condition.">
          <p>
            Add conditions on any of {catalog ? `${catalog.filters.length} fields` : 'the fields'}, draw an area, or
            both.
          </p>
        </Empty>
      )}
      {asked && !isStale && <ResultBar state={state} />}
      {asked && !isStale && state.watch !== undefined && catalog && (
        <WatchForm
          subject={{ search: { filters: asked } }}
          asked={filters.map(({ field }) => field)}
          catalog={catalog}
        />
      )}
      {asked && !isStale && state.file !== undefined && (
        <ExportPanel
          filters={asked}
          columns={columnsOf(state, asked)}
          id={state.file === 'new' ? null : state.file}
          onBegun={id => change({ file: id ?? 'new' }, true)}
        />
      )}
      {asked && !isStale && clicked && (
        <WhyNot
          place={clicked}
          filters={asked}
          catalog={catalog}
          map={state.map ?? ''}
          onClose={() => change({ why: '' })}
        />
      )}
      {pages.error && <Failed error={pages.error} again={pages.again} />}
      {pages.waiting && matches.length === 0 && <Waiting what="Parcels are being searched" />}
      {!isStale && emptyFields.length > 0 && (
        <p class="note">
          No parcel of {where} has a value of: {emptyFields.join(', ')}. No condition on it can be passed.
        </p>
      )}
      {foundNothing && !isStale && asked && (
        <Relax
          filters={asked}
          catalog={catalog}
          onRelax={next => {
            const kept = next.filter(({ field }) => field !== 'geometry');
            const lost = kept.length === next.length && area !== null;
            change({ f: kept.length > 0 ? JSON.stringify(kept) : '', p: '', ...(lost && { area: '', near: '' }) });
          }}
        />
      )}
      {asked && !isStale && isTable && (
        <MatchTable
          filters={asked}
          catalog={catalog}
          state={state}
          onChange={parts => change(parts)}
          onMatches={setRanked}
          onLook={index => showOnMap({ highlighted: index })}
        />
      )}
      {asked && !isStale && isGrouped && (
        <GroupMap
          filters={asked}
          catalog={catalog}
          state={state}
          onChange={parts => change(parts)}
          onCell={cell => change({ area: JSON.stringify(cell), near: '', how: '', as: '', p: '' })}
          onTown={town => {
            const others = filters.filter(({ field }) => field !== 'city');
            change({ f: JSON.stringify([...others, { field: 'city', op: 'eq', value: town }]), as: '', p: '' });
          }}
        />
      )}
      {asked && isStale && (
        <p class="summary" role="status">
          The conditions have changed. Press Search to see which parcels pass them.
        </p>
      )}
      {pages.last && !isTable && !isGrouped && !isStale && (
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
      <RequestPanel
        request={isStale || isGrouped ? null : isTable ? asked && rankRequest(asked, state) : pages.request}
      />
    </>
  );
}
