import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { Catalog } from '../api/catalog.ts';
import type { FieldMeta } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import { saveAs } from '../export/export-file.ts';
import { hrefOf } from '../shell/address.ts';
import { Failed, Waiting } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { parcelCount, pass } from './condition-words.ts';
import { FieldBox } from './field-box.tsx';
import type { Filter } from './filter.ts';
import { parcelState } from './match-list.tsx';
import type { Match } from './pages.ts';
import { columnsOf, MOST_COLUMNS, orderOf, ROWS, rankRequest, rowsOf, weightsOf, weightsText } from './ranking.ts';
import { rowsCsv } from './rows-csv.ts';
import { ScorePanel } from './score-panel.tsx';
import '../style/desk.css';

type Ranked = AnswerOf<'rank'>;
type RankedMatch = Ranked['matches'][number];

/** The value of a column; null where there is none. */
function cellOf({ fields, field_status: status, criteria, acreage }: RankedMatch, name: string): unknown {
  if (criteria[name]) return criteria[name].value;
  if (status[name] !== undefined) return status[name] === 'ok' ? fields[name] : null;
  return name === 'acreage' ? acreage : null;
}

const titleWith = (title: string, unit: string | null | undefined) => (unit ? `${title} (${unit})` : title);

const isNumber = (meta: FieldMeta | undefined) => meta?.type === 'number' || meta?.type === 'integer';

/**
 * The first parcels of those that pass, as a table: columns and order are chosen, and stand in the address.
 * @param filters with the state first. @param state what the address says: `cols`, `sort` or `score`, `rows` and `map`.
 * @param onMatches receives the rows, for the map.
 */
export function MatchTable({
  filters,
  catalog,
  state,
  onChange,
  onMatches,
  onLook,
}: {
  readonly filters: readonly Filter[];
  readonly catalog: Catalog | null;
  readonly state: Readonly<Record<string, string>>;
  readonly onChange: (parts: Readonly<Record<string, string>>) => void;
  readonly onMatches: (matches: readonly Match[] | null) => void;
  readonly onLook: (index: number | null) => void;
}) {
  const columns = columnsOf(state, filters);
  const order = orderOf(state);
  const rows = rowsOf(state);
  const [adding, setAdding] = useState(false);
  const weights = weightsOf(state);
  const [scoring, setScoring] = useState(false);
  const isScored = weights.length > 0;
  const [answer, again] = useAnswer<Ranked>(rankRequest(filters, state));
  const told = answer.is === 'here' ? answer.value : answer.is === 'waiting' ? (answer.last?.value ?? null) : null;
  useEffect(() => {
    onMatches(answer.is === 'here' ? (answer.value.matches as readonly Match[]) : null);
  }, [answer]);
  const titleOf = (name: string) => catalog?.fields.get(name)?.title ?? wordsOf(name);
  const choose = (next: readonly string[]) => onChange({ cols: next.join(',') || 'acreage' });
  const sortBy = (name: string) => {
    const isFirst = order.field !== name;
    const direction = isFirst ? (isNumber(catalog?.fields.get(name)) ? '-' : '') : order.direction === 'asc' ? '-' : '';
    onChange({ sort: direction + name, score: '' });
  };
  if (answer.is === 'failed') return <Failed error={answer.error} again={again} />;
  if (!told) return <Waiting what="Parcels are being compared" />;
  const heads = columns.map(name => ({ name, title: titleOf(name), number: isNumber(catalog?.fields.get(name)) }));
  const unitOf = (name: string) => catalog?.fields.get(name)?.unit;
  /** The rows as they stand, with their units in the heads: numbers stay numbers. */
  const save = () =>
    saveAs(
      'parcels.csv',
      new Blob(
        [
          rowsCsv(
            [
              'Address',
              'Parcel',
              ...(isScored ? ['Score'] : []),
              ...heads.map(({ name, title }) => titleWith(title, unitOf(name))),
            ],
            told.matches.map(match => [
              match.address,
              match.apn,
              ...(isScored ? [match.score] : []),
              ...heads.map(({ name }) => cellOf(match, name)),
            ]),
          ),
        ],
        { type: 'text/csv' },
      ),
    );
  return (
    <section class="match-table" aria-label="Table of parcels" aria-busy={answer.is === 'waiting'}>
      <p class="summary" role="status">
        {parcelCount(told.considered)} {pass(told.considered)}.{' '}
        {told.considered > told.matches.length &&
          `These are the first ${told.matches.length.toLocaleString('en-US')}. `}
        {told.absent > 0 &&
          `${parcelCount(told.absent)} without a value to ${isScored ? 'score' : 'sort by'} ${told.absent === 1 ? 'is' : 'are'} last. `}
        {told.failed > 0 && `${parcelCount(told.failed)} could not be compared. `}
        {told.unknown > 0 && `Of ${parcelCount(told.unknown)} it is not known whether they pass.`}
      </p>
      {told.warnings.map(pageWords).map(words => words && <p class="note">{words}</p>)}
      <div class="row between">
        {adding ? (
          <FieldBox
            fields={catalog?.filters.filter(({ name }) => !columns.includes(name)) ?? []}
            chosen={undefined}
            isNew
            onChoose={({ name }) => {
              setAdding(false);
              choose([...columns, name]);
            }}
          />
        ) : (
          <button type="button" disabled={!catalog || columns.length >= MOST_COLUMNS} onClick={() => setAdding(true)}>
            Add a column
          </button>
        )}
        <button
          type="button"
          aria-expanded={scoring || isScored}
          onClick={() => (isScored ? onChange({ score: '' }) : setScoring(!scoring))}
        >
          {isScored ? 'Without a score' : 'Score'}
        </button>
        <button type="button" onClick={save}>
          Save these rows
        </button>
        <label class="row">
          Rows
          <select class="short" value={String(rows)} onChange={event => onChange({ rows: event.currentTarget.value })}>
            {ROWS.map(count => (
              <option key={count} value={String(count)}>
                {count.toLocaleString('en-US')}
              </option>
            ))}
          </select>
        </label>
      </div>
      {(scoring || isScored) && (
        <ScorePanel weights={weights} catalog={catalog} onChange={next => onChange({ score: weightsText(next) })} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="table-frame" tabIndex={0} aria-label="Parcels, sorted">
        <table class="desk-table">
          <thead>
            <tr>
              <th scope="col">Parcel</th>
              {isScored && (
                <th scope="col" class="number" aria-sort="descending">
                  Score
                </th>
              )}
              {heads.map(({ name, title, number }) => (
                <th
                  key={name}
                  scope="col"
                  class={number ? 'number' : ''}
                  aria-sort={
                    !isScored && order.field === name
                      ? order.direction === 'asc'
                        ? 'ascending'
                        : 'descending'
                      : 'none'
                  }
                >
                  <button type="button" class="sort" onClick={() => sortBy(name)}>
                    {title}
                    <span aria-hidden="true">
                      {!isScored && order.field === name ? (order.direction === 'asc' ? ' ↑' : ' ↓') : ''}
                    </span>
                  </button>
                  {columns.length > 1 && (
                    <button
                      type="button"
                      class="icon"
                      aria-label={`Leave out ${title}`}
                      onClick={() => choose(columns.filter(other => other !== name))}
                    >
                      ×
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {told.matches.map((match, i) => (
              <tr
                key={match.parcel_id}
                onMouseEnter={() => onLook(i)}
                onMouseLeave={() => onLook(null)}
                onFocus={() => onLook(i)}
                onBlur={() => onLook(null)}
              >
                <th scope="row">
                  <a
                    href={hrefOf({ view: 'parcel', state: parcelState(match as unknown as Match, state.map ?? '') })}
                    data-view="parcel"
                  >
                    {match.address ?? match.apn ?? 'Without number'}
                  </a>
                  {match.address && <span class="note"> {match.apn}</span>}
                </th>
                {isScored && (
                  <td class="number">{typeof match.score === 'number' ? Math.round(match.score) : 'not known'}</td>
                )}
                {heads.map(({ name, number }) => (
                  <td key={name} class={number ? 'number' : ''}>
                    {valueWords(cellOf(match, name), catalog?.fields.get(name)?.unit, name)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
