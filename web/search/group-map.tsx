import { useEffect, useMemo } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import { type AreaGeometry, boxAround, fitOnMap, listenToShapes, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { pageWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { parcelCount } from './condition-words.ts';
import { FieldBox } from './field-box.tsx';
import type { Filter } from './filter.ts';
import { MEASURES, type Measure, measureBody, measureWords, readMeasure } from './measure.ts';
import { classOf, quantileClasses } from './quantiles.ts';
import '../style/desk.css';

type Aggregated = AnswerOf<'aggregate'>;
type Group = Aggregated['groups'][number];

/** Cells by their resolution, with what they are about as wide as. */
const CELLS: readonly (readonly [resolution: number, text: string])[] = [
  [5, 'Cells of 20 km'],
  [6, 'Cells of 7 km'],
  [7, 'Cells of 3 km'],
  [8, 'Cells of 1 km'],
  [9, 'Cells of 400 m'],
];
const TOWNS = 'towns';
/** Cells by which the ground of a town is drawn. */
const TOWN_CELLS = 8;
/** Rows below the map's colors. */
const MOST_LISTED = 30;

type State = Readonly<Record<string, string>>;

/** The size of cells that suits a view of the map, as addresses have it. */
function cellsFor(map: string): number {
  const zoom = Number(map.split('/')[0]);
  return zoom >= 14 ? 9 : zoom >= 11.5 ? 8 : zoom >= 9 ? 7 : 6;
}

/** A group that is drawn. */
interface Drawn {
  readonly name: string;
  readonly value: number;
  readonly count: number;
  readonly isSmall: boolean;
  readonly shapes: readonly AreaGeometry[];
  /** The town that it is; null for a cell. */
  readonly town: string | null;
}

/** The middle of a cell, by which it is called. */
function middleOf(geometry: AreaGeometry): string {
  const [west, south, east, north] = boxAround([geometry])!;
  return `Around ${((south + north) / 2).toFixed(3)}, ${((west + east) / 2).toFixed(3)}`;
}

const measured = ({ measures: [measure] }: Group): number | null =>
  typeof measure?.value === 'number' ? measure.value : null;

/** Groups with a value, the greatest first. @param ground of towns: cells, each with how many parcels of a town it holds; null for cells. */
function drawnOf(groups: readonly Group[], ground: readonly Group[] | null): Drawn[] {
  const owners = new Map<string, Group>();
  for (const cell of ground ?? []) {
    const id = String(cell.key[1]);
    // A cell that two towns share is drawn as the one with more of its parcels.
    if (cell.geometry && cell.count > (owners.get(id)?.count ?? 0)) owners.set(id, cell);
  }
  const byTown = Map.groupBy(owners.values(), ({ key }) => String(key[0]));
  const drawn = groups.flatMap((group): Drawn[] => {
    const value = measured(group);
    const [key] = group.key;
    if (value === null || key === null) return [];
    const { count, small: isSmall } = group;
    const town = ground ? String(key) : null;
    const shapes =
      town === null
        ? [group.geometry as AreaGeometry]
        : (byTown.get(town) ?? []).map(cell => cell.geometry as AreaGeometry);
    return shapes[0] ? [{ name: town ?? middleOf(shapes[0]), value, count, isSmall, shapes, town }] : [];
  });
  return drawn.sort((a, b) => b.value - a.value);
}

/**
 * All parcels that pass as a map of groups: cells or towns, colored by a measure, with a legend by quantiles. A click opens the parcels of
 * one. @param filters with the state first. @param state what the address says: `by`, `of` and `map`.
 */
export function GroupMap({
  filters,
  catalog,
  state,
  onChange,
  onCell,
  onTown,
}: {
  readonly filters: readonly Filter[];
  readonly catalog: Catalog | null;
  readonly state: State;
  readonly onChange: (parts: State) => void;
  readonly onCell: (cell: AreaGeometry) => void;
  readonly onTown: (town: string) => void;
}) {
  const theme = useTheme();
  const measure: Measure = readMeasure(state.of);
  const byTowns = state.by === TOWNS;
  // What suits the first view stays when the map is moved.
  const usual = useMemo(() => cellsFor(state.map ?? ''), []);
  const resolution = CELLS.some(([one]) => String(one) === state.by) ? Number(state.by) : usual;
  const request: ApiRequest = {
    method: 'POST',
    path: '/v1/aggregate',
    body: {
      ...{ filters, group_by: byTowns ? ['city'] : [{ h3: resolution }], measures: [measureBody(measure)] },
      ...(byTowns ? {} : { geometry: true }),
    },
  };
  const [answer, again] = useAnswer<Aggregated>(request);
  const [ground, groundAgain] = useAnswer<Aggregated>(
    byTowns
      ? {
          method: 'POST',
          path: '/v1/aggregate',
          body: { filters, group_by: ['city', { h3: TOWN_CELLS }], measures: [{ op: 'count' }], geometry: true },
        }
      : null,
  );
  const told = answer.is === 'here' ? answer.value : null;
  const cells = ground.is === 'here' ? ground.value.groups : null;
  const drawn = useMemo(
    () => (told && (!byTowns || cells) ? drawnOf(told.groups, byTowns ? cells : null) : null),
    [told, cells, byTowns],
  );
  const { ramp } = TONES[theme];
  const classes = useMemo(
    () =>
      drawn
        ? quantileClasses(
            drawn.map(({ value }) => value),
            ramp.length,
          )
        : [],
    [drawn],
  );
  /** Of fewer classes the outer colors are used too. */
  const colorAt = (i: number) =>
    ramp[classes.length < 2 ? ramp.length - 1 : Math.round((i * (ramp.length - 1)) / (classes.length - 1))]!;
  const open = ({ town, shapes }: Drawn) => (town === null ? onCell(shapes[0]!) : onTown(town));
  useEffect(() => {
    if (!drawn) return;
    showOnMap({
      shapes: drawn.flatMap(({ value, isSmall, shapes }, id) =>
        shapes.map(
          (geometry): MapShape => ({
            ...{ id, geometry, color: colorAt(classOf(value, classes)) },
            opacity: isSmall ? 0.3 : 0.7,
          }),
        ),
      ),
    });
    return listenToShapes(id => drawn[id] && open(drawn[id]));
  }, [drawn, theme]);
  useEffect(() => {
    const box = boxAround((drawn ?? []).flatMap(({ shapes }) => shapes));
    if (box) fitOnMap(box);
  }, [drawn]);
  useEffect(() => () => showOnMap({ shapes: [] }), []);
  const meta = measure.field === null ? undefined : catalog?.fields.get(measure.field);
  const words = (value: number) =>
    measure.field === null ? value.toLocaleString('en-US') : valueWords(value, meta?.unit, measure.field);
  const groupsOf = (count: number) =>
    `${count.toLocaleString('en-US')} ${byTowns ? 'town' : 'cell'}${count === 1 ? '' : 's'}`;
  const numbers = catalog?.filters.filter(({ type }) => type === 'number' || type === 'integer') ?? [];
  return (
    <section class="match-table" aria-label="Groups on the map">
      <div class="row">
        <select
          class="fit"
          aria-label="Grouped by"
          value={byTowns ? TOWNS : String(resolution)}
          onChange={event => onChange({ by: event.currentTarget.value })}
        >
          <option value={TOWNS}>Towns</option>
          {CELLS.map(([one, text]) => (
            <option key={one} value={String(one)}>
              {text}
            </option>
          ))}
        </select>
        <select
          class="fit"
          aria-label="Colored by"
          value={measure.op}
          onChange={event => {
            const op = event.currentTarget.value;
            onChange({ of: op === 'count' ? '' : `${op}:${measure.field ?? 'acreage'}` });
          }}
        >
          {MEASURES.map(([op, text]) => (
            <option key={op} value={op}>
              {text}
            </option>
          ))}
        </select>
        {measure.field !== null && (
          <FieldBox
            fields={numbers}
            chosen={meta}
            isNew={false}
            onChoose={({ name }) => onChange({ of: `${measure.op}:${name}` })}
          />
        )}
      </div>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {ground.is === 'failed' && <Failed error={ground.error} again={groundAgain} />}
      {!drawn && answer.is !== 'failed' && ground.is !== 'failed' && <Waiting what="Parcels are being grouped" />}
      {drawn && told && (
        <>
          <p role="status">
            {parcelCount(told.considered)} in {groupsOf(drawn.length)}.
            {told.failed > 0 && ` ${parcelCount(told.failed)} could not be grouped.`}
            {told.unknown > 0 && ` Of ${parcelCount(told.unknown)} it is not known whether they pass.`}
          </p>
          {told.groups.length > drawn.length && (
            <p class="note">
              {parcelCount(
                told.groups.reduce((sum, { count }) => sum + count, 0) -
                  drawn.reduce((sum, { count }) => sum + count, 0),
              )}{' '}
              {byTowns ? 'name no town, or are of one without a value' : 'are in cells without a value'}.
            </p>
          )}
          {told.warnings.map(pageWords).map(text => text && <p class="note">{text}</p>)}
          {classes.length > 0 && (
            <figure class="quantiles">
              <figcaption>
                {measureWords(measure, catalog)}, as many {byTowns ? 'towns' : 'cells'} in each color
              </figcaption>
              <ul>
                {classes.map(({ least, greatest }, i) => (
                  <li key={least}>
                    <span class="swatch" style={{ background: colorAt(i) }} />
                    {least === greatest ? words(least) : `${words(least)} to ${words(greatest)}`}
                  </li>
                ))}
              </ul>
            </figure>
          )}
          {drawn.some(({ isSmall }) => isSmall) && <p class="note">Paler ones have fewer than five parcels.</p>}
          <table class="desk-table">
            <thead>
              <tr>
                <th scope="col">{byTowns ? 'Town' : 'Cell'}</th>
                <th scope="col" class="number">
                  Parcels
                </th>
                {measure.field !== null && (
                  <th scope="col" class="number">
                    {measureWords(measure, catalog)}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {drawn.slice(0, MOST_LISTED).map(group => (
                <tr key={group.name}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => open(group)}>
                      {group.name}
                    </button>
                  </th>
                  <td class="number">{group.count.toLocaleString('en-US')}</td>
                  {measure.field !== null && <td class="number">{words(group.value)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
          {drawn.length > MOST_LISTED && <p class="note">These are the first {MOST_LISTED}; the map has all.</p>}
        </>
      )}
      <RequestPanel request={request} />
    </section>
  );
}
