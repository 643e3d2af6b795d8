import { useEffect } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { change, hrefOf, type Place, placeText } from '../shell/address.ts';
import { Failed, Waiting } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import type { FieldRecord } from '../values/field-record.ts';
import { lackWords } from '../values/page-words.ts';
import { distanceWords, valueWords } from '../values/value-words.ts';
import { besideOf, MOST_BESIDE } from './beside-places.ts';
import { HEADER_FIELDS, type NamedParcel } from './parcel-header.tsx';
import type { ParcelQuestion } from './parcel-question.ts';

/** What is compared where the topic of the page is all there is. */
const USUAL = 'parcel';

interface Enriched {
  readonly parcel_match: { readonly parcel: NamedParcel | null; readonly reason: string | null };
  readonly fields: Readonly<Record<string, FieldRecord>>;
}

/** A parcel of the table. */
interface Column {
  readonly title: string;
  /** Null for the parcel of the page. */
  readonly place: Place | null;
  readonly fields: Readonly<Record<string, FieldRecord>> | null;
  readonly note: string;
}

/** Values of the page's topic, parcel by parcel; what is not the same of all stands out. */
function Comparison({
  columns,
  names,
  catalog,
  map,
}: {
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  readonly catalog: Catalog | null;
  readonly map: string;
}) {
  const told = (column: Column, name: string) => {
    const record = column.fields?.[name];
    return record?.status === 'ok' ? valueWords(record.value, record.unit, name) : 'no data';
  };
  const rows = names.flatMap(name => {
    if (columns.every(({ fields }) => fields?.[name]?.status !== 'ok')) return [];
    const values = columns.map(column => told(column, name));
    return [{ name, values, isUnlike: new Set(values).size > 1 }];
  });
  const lacking = names.length - rows.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="table-frame" tabIndex={0} aria-label="Parcels side by side">
        <table class="desk-table beside">
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">Fact</span>
              </th>
              {columns.map(({ title, place }) => (
                <th key={title} scope="col">
                  {place === null ? (
                    title
                  ) : (
                    <>
                      <a href={hrefOf({ view: 'parcel', state: { at: placeText(place), map } })} data-view="parcel">
                        {title}
                      </a>
                      <button
                        type="button"
                        class="icon"
                        aria-label={`Leave out ${title}`}
                        onClick={() =>
                          change({
                            with: columns
                              .flatMap(column =>
                                column.place && column.place !== place ? [placeText(column.place)] : [],
                              )
                              .join(';'),
                          })
                        }
                      >
                        ×
                      </button>
                    </>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values, isUnlike }) => (
              <tr key={name} class={isUnlike ? 'unlike' : ''}>
                <th scope="row">{distanceWords(catalog?.fields.get(name)?.title ?? wordsOf(name))}</th>
                {values.map((value, i) => (
                  <td key={i}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">
        What is not the same stands out.
        {lacking > 0 && ` ${lacking} ${lacking === 1 ? 'value' : 'values'} of the topic are known of none of them.`}
      </p>
    </>
  );
}

/** Two or three parcels side by side: the one of the page, and those that are clicked. */
export function Beside({ fields, catalog, state, parcelName }: ParcelQuestion) {
  const theme = useTheme();
  const others = besideOf(state.with);
  const [second, third] = others;
  const preset = state.preset ?? USUAL;
  const wanted = catalog?.enrichPresets.find(({ name }) => name === preset)?.fields ?? Object.keys(fields);
  const names = [...new Set([...HEADER_FIELDS, ...wanted])].filter(name => name !== 'county_fips');
  const requestOf = (place: Place | undefined): ApiRequest | null =>
    place ? { method: 'POST', path: '/v1/enrich', body: { ...place, fields: names } } : null;
  const answers = [useAnswer<Enriched>(requestOf(second)), useAnswer<Enriched>(requestOf(third))] as const;
  useEffect(() => {
    const color = TONES[theme].kinds[1]!;
    showOnMap({
      shapes: others.map(({ lng, lat }, id) => ({
        ...{ id, color, opacity: 1 },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    });
  }, [state.with, theme]);
  const columns: Column[] = [
    { title: parcelName, place: null, fields, note: '' },
    ...others.map((place, i): Column => {
      const [answer] = answers[i]!;
      const here = answer.is === 'here' ? answer.value : null;
      const parcel = here?.parcel_match.parcel ?? null;
      return {
        title: parcel?.address ?? parcel?.apn ?? placeText(place),
        place,
        fields: here && parcel ? here.fields : null,
        note: here && !parcel ? lackWords(here.parcel_match.reason ?? '') || 'No parcel lies there.' : '',
      };
    }),
  ];
  return (
    <>
      <p class="note">
        {others.length < MOST_BESIDE
          ? 'Click another parcel on the map, and it stands beside this one.'
          : 'Click another parcel on the map, and it takes the place of the first beside this one.'}
      </p>
      {answers.map(
        ([answer, again], i) => answer.is === 'failed' && <Failed key={i} error={answer.error} again={again} />,
      )}
      {answers.some(([answer]) => answer.is === 'waiting') && <Waiting what="The parcel is being looked up" />}
      {columns.map(({ title, note }) => note && <p key={title} class="warn">{`${title}: ${note}`}</p>)}
      {others.length > 0 && (
        <Comparison
          columns={columns.filter(({ place, fields: has }) => place === null || has !== null)}
          names={names}
          catalog={catalog}
          map={state.map ?? ''}
        />
      )}
    </>
  );
}
