import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { Catalog } from '../api/catalog.ts';
import { hrefOf, type Place, placeText } from '../shell/address.ts';
import { Failed } from '../shell/states.tsx';
import { lackWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { conditionWords } from './condition-words.ts';
import type { Filter } from './filter.ts';
import '../style/desk.css';

type Explained = Extract<AnswerOf<'searchExplain'>, { readonly passes: unknown }>;
type Judged = Explained['filters'][number];

interface Named {
  readonly parcel_match: {
    readonly reason: string | null;
    readonly parcel: {
      readonly parcel_id: string;
      readonly apn: string | null;
      readonly address: string | null;
    } | null;
  };
}

/** Days that a margin of a date tells. */
const dayCount = (days: number) => `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`;

/** By how much a parcel fails a condition; empty where that has no measure. */
function shortOf({ margin }: Judged, { field }: Filter, catalog: Catalog | null): string {
  if (margin === null || margin >= 0) return '';
  if (field === 'geometry') return `${valueWords(-margin, 'm', 'distance')} away`;
  const meta = catalog?.fields.get(field);
  const isDay = meta?.type === 'date' || meta?.type === 'timestamp';
  return `short by ${isDay ? dayCount(-margin) : valueWords(-margin, meta?.unit, field)}`;
}

/** What a parcel has of what a condition asks. */
function hasWords({ value, status }: Judged, { field }: Filter, catalog: Catalog | null): string {
  if (field === 'geometry') return '';
  if (status === 'absent') return 'it has no value';
  if (status === 'failed') return 'its value could not be calculated';
  return `it has ${valueWords(value, catalog?.fields.get(field)?.unit, field)}`;
}

/** Why the parcel that was clicked passes a search or not, condition by condition. @param filters with the state first. */
export function WhyNot({
  place,
  filters,
  catalog,
  map,
  onClose,
}: {
  readonly place: Place;
  readonly filters: readonly Filter[];
  readonly catalog: Catalog | null;
  readonly map: string;
  readonly onClose: () => void;
}) {
  const [named, nameAgain] = useAnswer<Named>({
    method: 'POST',
    path: '/v1/enrich',
    body: { ...place, fields: ['acreage'] },
  });
  const match = named.is === 'here' ? named.value.parcel_match : null;
  const parcel = match?.parcel ?? null;
  const [answer, again] = useAnswer<Explained>(
    parcel && { method: 'POST', path: '/v1/search/explain', body: { filters, parcel_id: parcel.parcel_id } },
  );
  const title = parcel ? (parcel.address ?? `Parcel ${parcel.apn ?? 'without number'}`) : 'The place that you clicked';
  const explained = answer.is === 'here' ? answer.value : null;
  return (
    <section class="card why-not" aria-label="Why this parcel passes or not">
      <div class="row between">
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {named.is === 'failed' && <Failed error={named.error} again={nameAgain} />}
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {match && !parcel && <p class="note">No one parcel lies here. {lackWords(match.reason ?? '')}</p>}
      {(named.is === 'waiting' || answer.is === 'waiting') && (
        <p class="note" role="status">
          Looking why…
        </p>
      )}
      {explained && (
        <>
          <p role="status">
            {explained.passes === true && 'It passes every condition.'}
            {explained.passes === false && 'It does not pass:'}
            {explained.passes === null && 'Whether it passes is not known:'}
          </p>
          <ul class="judged">
            {explained.filters.map(judged => {
              const filter = filters[judged.index]!;
              const has = hasWords(judged, filter, catalog);
              const short = shortOf(judged, filter, catalog);
              return (
                <li key={judged.index}>
                  <span class={`outcome is-${judged.passes === false ? 'yes' : 'no'}`}>
                    {judged.passes === null ? 'Not known' : judged.passes ? 'Passes' : 'Fails'}
                  </span>
                  <span>
                    {conditionWords(filter, catalog)}
                    {(has || short) && <span class="note">: {[has, short].filter(Boolean).join(', ')}</span>}
                  </span>
                </li>
              );
            })}
          </ul>
          <p class="links">
            <a
              href={hrefOf({ view: 'parcel', state: { at: placeText(place), apn: parcel?.apn ?? '', map } })}
              data-view="parcel"
            >
              Everything about it
            </a>
          </p>
        </>
      )}
    </section>
  );
}
