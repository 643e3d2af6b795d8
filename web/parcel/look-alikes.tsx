import { useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import { type FieldMeta, isHere } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import { FieldBox } from '../search/field-box.tsx';
import { change, hrefOf } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { fitParcels, stateOf, useParcelPoints } from './parcel-points.ts';
import type { ParcelQuestion } from './parcel-question.ts';

type Similar = AnswerOf<'similar'>;

/** What parcels are likened by at first, as far as the release has it. */
const USUAL = ['acreage', 'landval', 'improvval', 'nearest_road_distance_m', 'elevation', 'slope'];
const MOST_AT_FIRST = 4;
const MOST_FIELDS = 8;
const ALIKE = 20;

const isMeasured = (meta: FieldMeta) => ['number', 'integer', 'date'].includes(meta.type);

/** The fields that parcels are likened by. */
function fieldsOf(chosen: string | undefined, catalog: Catalog): string[] {
  const offered = (name: string) =>
    catalog.filters.some(meta => meta.name === name && isMeasured(meta) && isHere(meta));
  if (chosen !== undefined) return chosen.split(',').filter(name => name !== '');
  return USUAL.filter(offered).slice(0, MOST_AT_FIRST);
}

/** Parcels of the state that are most like one, by measures of the reader's choice. */
export function LookAlikes({ parcelId, catalog, parcelState, state }: ParcelQuestion) {
  const [adding, setAdding] = useState(false);
  const fields = catalog ? fieldsOf(state.like, catalog) : [];
  const request: ApiRequest = {
    method: 'POST',
    path: '/v1/similar',
    body: {
      filters: [{ field: 'state', op: 'eq', value: parcelState }],
      ...{ parcel_id: parcelId, fields, limit: ALIKE },
    },
  };
  const [answer, again] = useAnswer<Similar>(fields.length > 0 ? request : null);
  const told = answer.is === 'here' ? answer.value : answer.is === 'waiting' ? (answer.last?.value ?? null) : null;
  const map = state.map ?? '';
  useParcelPoints(told?.matches ?? [], map);
  const titleOf = (name: string) => catalog?.fields.get(name)?.title ?? wordsOf(name);
  const words = (name: string, value: unknown) => valueWords(value, catalog?.fields.get(name)?.unit, name);
  const choose = (next: readonly string[]) => change({ like: next.join(',') }, true);
  const compared = fields.filter(name => told?.parcel.fields[name]?.status === 'ok');
  const left = told ? fields.filter(name => told.parcel.fields[name] && !compared.includes(name)) : [];
  return (
    <>
      <ul class="chips" aria-label="Likened by">
        {fields.map(name => (
          <li key={name}>
            {titleOf(name)}
            {fields.length > 1 && (
              <button
                type="button"
                class="icon"
                aria-label={`Leave out ${titleOf(name)}`}
                onClick={() => choose(fields.filter(other => other !== name))}
              >
                ×
              </button>
            )}
          </li>
        ))}
        {!adding && (
          <li class="plain">
            <button
              type="button"
              class="small"
              disabled={!catalog || fields.length >= MOST_FIELDS}
              onClick={() => setAdding(true)}
            >
              Add a measure
            </button>
          </li>
        )}
      </ul>
      {adding && (
        <FieldBox
          fields={catalog?.filters.filter(meta => isMeasured(meta) && !fields.includes(meta.name)) ?? []}
          chosen={undefined}
          isNew
          onChoose={({ name }) => {
            setAdding(false);
            choose([...fields, name]);
          }}
        />
      )}
      {catalog && fields.length === 0 && (
        <p class="note">Nothing of it is measured that parcels could be likened by.</p>
      )}
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {answer.is === 'waiting' && !told && <Waiting what="Parcels are being compared" />}
      {told && (
        <>
          <p role="status">
            The {told.matches.length} most alike of {told.considered.toLocaleString('en-US')} parcels.
            {told.absent > 0 && ` ${told.absent.toLocaleString('en-US')} lack a value and are not compared.`}
          </p>
          {left.length > 0 && (
            <p class="note">
              Not compared, since this parcel has no value or all have the same: {left.map(titleOf).join(', ')}.
            </p>
          )}
          {told.warnings.map(pageWords).map(text => text && <p class="note">{text}</p>)}
          <div class="row">
            <button type="button" class="small" onClick={() => fitParcels(told.matches)}>
              Show all on the map
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <section class="table-frame" tabIndex={0} aria-label="Parcels that are alike">
            <table class="desk-table">
              <thead>
                <tr>
                  <th scope="col">Parcel</th>
                  {compared.map(name => (
                    <th key={name} scope="col" class="number">
                      {titleOf(name)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <tr class="own">
                  <th scope="row">This parcel</th>
                  {compared.map(name => (
                    <td key={name} class="number">
                      {words(name, told.parcel.fields[name]?.value)}
                    </td>
                  ))}
                </tr>
                {told.matches.map(match => (
                  <tr key={match.parcel_id}>
                    <th scope="row">
                      <a href={hrefOf({ view: 'parcel', state: stateOf(match, map) })} data-view="parcel">
                        {match.address ?? match.apn ?? 'Without number'}
                      </a>
                    </th>
                    {compared.map(name => (
                      <td key={name} class="number">
                        {words(name, match.fields[name]?.value)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      <RequestPanel request={fields.length > 0 ? request : null} />
    </>
  );
}
