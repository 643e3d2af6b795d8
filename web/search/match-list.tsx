import { useEffect, useRef } from 'preact/hooks';
import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { hrefOf, placeText } from '../shell/address.ts';
import { valueWords } from '../values/value-words.ts';
import type { Match, Pages } from './pages.ts';

const REASONS: Readonly<Record<string, string>> = {
  exhausted: 'These are all.',
  limit_reached: 'There are more.',
  timeout: 'The time for this page was up; there may be more.',
  work_limit: 'The search stopped at a limit of the server; there may be more.',
  field_data_unavailable: 'Some values could not be read: parcels may be missing.',
  source_unavailable: 'Some parcels could not be read: parcels may be missing.',
};

/** Pixels of the list that are seen without scrolling. */
const LEAST_SHOWN = 220;

/** What stands under a match beside its address: the values that were filtered by. */
function factsOf({ fields, field_status }: Match, catalog: Catalog | null): [string, string][] {
  return Object.entries(fields)
    .filter(([name]) => !['geometry', 'state', 'state2', 'acreage', 'apn'].includes(name))
    .map(([name, value]) => {
      const meta = catalog?.fields.get(name);
      const told = field_status[name] === 'ok' ? valueWords(value, meta?.unit, name) : 'no data';
      return [meta?.title ?? wordsOf(name), told];
    });
}

/** What the page of a parcel is asked: by its number too, since several may share a point. */
export const parcelState = ({ analysis_point: point, apn }: Match, map: string) => ({
  at: placeText(point),
  apn: apn ?? '',
  map,
});

/** The parcels that were found. */
export function MatchList({
  pages,
  mapped,
  catalog,
  map,
  onNext,
  onLook,
}: {
  readonly pages: Pages;
  /** Whether the map shows all of them. */
  readonly mapped: boolean;
  readonly catalog: Catalog | null;
  readonly map: string;
  readonly onNext: () => void;
  readonly onLook: (id: number | null) => void;
}) {
  const { matches, last, waiting } = pages;
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // On a small screen the first results would be below it.
    const { top } = summary.current!.getBoundingClientRect();
    if (top > innerHeight - LEAST_SHOWN) summary.current!.scrollIntoView();
  }, []);
  return (
    <section class="matches" aria-label="Parcels found">
      <p class="summary" role="status" ref={summary}>
        {matches.length === 0
          ? 'No parcel passes every condition.'
          : `${matches.length.toLocaleString('en-US')} parcel${matches.length === 1 ? '' : 's'}.`}{' '}
        {last && matches.length > 0 && REASONS[last.completion_reason]}
        {last && matches.length > 0 && last.next_cursor !== null && mapped && ' The map shows all.'}
        {last && matches.length === 0 && last.status === 'partial' && REASONS[last.completion_reason]}
      </p>
      <ol>
        {matches.map((match, id) => (
          <li key={`${id}-${match.apn}`}>
            <a
              class="match"
              href={hrefOf({ view: 'parcel', state: parcelState(match, map) })}
              data-view="parcel"
              onMouseEnter={() => onLook(id)}
              onMouseLeave={() => onLook(null)}
              onFocus={() => onLook(id)}
              onBlur={() => onLook(null)}
            >
              <span class="match-title">{match.address ?? `Parcel ${match.apn ?? 'without number'}`}</span>
              <span class="match-acres">
                {match.acreage === null ? '' : valueWords(match.acreage, 'acres', 'acreage')}
              </span>
              <span class="match-facts">
                {[match.apn, match.city, match.county && `${match.county} County`].filter(Boolean).join(' · ')}
              </span>
              {factsOf(match, catalog).map(([title, text]) => (
                <span key={title} class="match-facts">
                  {title}: <strong>{text}</strong>
                </span>
              ))}
            </a>
          </li>
        ))}
      </ol>
      {last?.next_cursor && (
        <button type="button" class="wide-button" onClick={onNext} disabled={waiting}>
          {waiting ? 'Fetching…' : 'Next page'}
        </button>
      )}
    </section>
  );
}
