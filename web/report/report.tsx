import { useMemo } from 'preact/hooks';
import type { Outcome } from '../../datasets/verdict.ts';
import { useAnswer } from '../api/answer.ts';
import type { Catalog } from '../api/catalog.ts';
import { isHere } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import type { AreaGeometry } from '../map/scene.ts';
import type { NamedParcel } from '../parcel/parcel-header.tsx';
import { type Place, placeText } from '../shell/address.ts';
import { Failed, Waiting } from '../shell/states.tsx';
import type { FieldRecord } from '../values/field-record.ts';
import { distanceWords, valueWords } from '../values/value-words.ts';
import { capital, findingOf, HOW_MATCHED } from '../verdict/finding.ts';
import { FLOOD_FIELDS, FLOOD_SHARE } from '../verdict/flood.ts';
import { type Matter, mattersOf } from '../verdict/verdicts.ts';
import { Citations } from './citations.ts';
import { MapPicture } from './map-picture.tsx';
import { Cite, Sources } from './paper-parts.tsx';
import './report.css';

/** What a buyer, a lender or a planner reads first of a parcel, in the order of a report. */
const FACTS: readonly string[] = [
  ...[
    'owner',
    'acreage',
    'usedesc',
    'zoning_code',
    'zoning_name',
    'yearbuilt',
    'bldg_count',
    'bldg_footprint_sqft',
    'numstories',
    'numunits',
  ],
  ...['parval', 'landval', 'improvval', 'taxamt', 'taxyear', 'saledate', 'saleprice'],
  ...['fema_flood_zone', 'nearest_sfha_distance_m', 'elevation', 'slope', 'nearest_road_distance_m'],
];
/** Verdicts that a report of two pages has room for. */
const MOST_VERDICTS = 18;
/** What asks for attention stands first. */
const ORDER: readonly Outcome[] = ['yes', 'line', 'no'];

type Fields = Readonly<Record<string, FieldRecord>>;

interface Enriched {
  readonly fields: Fields;
}

/** The page that is printed. */
function Paper({
  parcel,
  point,
  fields,
  boundary,
  catalog,
}: {
  readonly parcel: NamedParcel;
  readonly point: Place;
  readonly fields: Fields;
  readonly boundary: AreaGeometry | null;
  readonly catalog: Catalog | null;
}) {
  const citations = new Citations(catalog);
  const matters = useMemo(
    () => mattersOf(fields, name => (name === HOW_MATCHED ? null : catalog?.fields.get(name)?.verdict)),
    [fields, catalog],
  );
  const outcomeOf = ({ first }: Matter<FieldRecord>) => first.verdict.outcome;
  // Whether it floods is asked of every house, whatever the answer is.
  const isLead = ({ first }: Matter<FieldRecord>) => FLOOD_FIELDS.includes(first.name);
  const known = matters.filter(matter => outcomeOf(matter) !== 'unknown');
  const decided = [
    ...known.filter(isLead),
    ...ORDER.flatMap(outcome => known.filter(matter => !isLead(matter) && outcomeOf(matter) === outcome)),
  ];
  const open = matters.filter(matter => outcomeOf(matter) === 'unknown');
  const shown = decided.slice(0, MOST_VERDICTS);
  const facts = FACTS.flatMap(name => {
    const record = fields[name];
    return record?.status === 'ok' ? [{ name, record }] : [];
  });
  const lines = shown.map(matter => ({
    matter: matter.first,
    finding: findingOf(matter, fields[FLOOD_SHARE]),
    number: citations.numberOf(matter.first.name, matter.first.record),
  }));
  const rows = facts.map(({ name, record }) => ({ name, record, number: citations.numberOf(name, record) }));
  return (
    <article class="report" aria-label="Report">
      <header>
        <h1>{parcel.address ?? `Parcel ${parcel.apn ?? 'without number'}`}</h1>
        <p>
          Parcel {parcel.apn ?? 'without number'} · {placeText(point).replace(',', ', ')} ·{' '}
          {new Date().toLocaleDateString('en-US', { dateStyle: 'long' })}
        </p>
      </header>
      <MapPicture boundary={boundary} what="Map of the parcel and what is around it" />
      <section aria-label="Verdicts">
        <h2>What the maps say</h2>
        <table>
          <tbody>
            {lines.map(({ matter: { name, rule }, finding: { label, text }, number }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>
                  <span class="matter">{capital(rule.matter)}?</span> {text}
                  <Cite number={number} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {decided.length > shown.length && (
          <p class="note">{decided.length - shown.length} more matters are decided; the page of the parcel has them.</p>
        )}
        {open.length > 0 && (
          <p class="note">
            Not known here:{' '}
            {open.map(({ first }) => first.rule.matter.replace(/^the (?:place|parcel) /, '')).join('; ')}.
          </p>
        )}
      </section>
      <section aria-label="Facts">
        <h2>The parcel</h2>
        <dl>
          {rows.map(({ name, record, number }) => (
            <div key={name}>
              <dt>{distanceWords(catalog?.fields.get(name)?.title ?? wordsOf(name))}</dt>
              <dd>
                {valueWords(record.value, record.unit, name)}
                <Cite number={number} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Sources citations={citations} release={catalog?.release ?? null} />
    </article>
  );
}

/** A report of a parcel to print: map, verdicts, facts and whom they are cited from, on two pages for a house. */
export function Report({
  parcel,
  point,
  given,
  boundary,
  catalog,
  onClose,
}: {
  readonly parcel: NamedParcel;
  readonly point: Place;
  /** All fields of the parcel, where they are known already; null: those of a report are asked for. */
  readonly given: Fields | null;
  readonly boundary: AreaGeometry | null;
  readonly catalog: Catalog | null;
  readonly onClose: () => void;
}) {
  const names = [...(catalog?.fields.values() ?? [])]
    .filter(
      meta =>
        meta.surfaces.includes('enrich') &&
        isHere(meta) &&
        (meta.verdict || FACTS.includes(meta.name) || meta.name === FLOOD_SHARE),
    )
    .map(({ name }) => name);
  const [answer, again] = useAnswer<Enriched>(
    given || names.length === 0
      ? null
      : { method: 'POST', path: '/v1/enrich', body: { lat: point.lat, lng: point.lng, fields: names } },
  );
  const fields = given ?? (answer.is === 'here' ? answer.value.fields : null);
  return (
    <>
      <div class="row no-print">
        <button type="button" onClick={onClose}>
          Back to the parcel
        </button>
        <button type="button" class="primary" disabled={!fields} onClick={() => print()}>
          Print or save as PDF
        </button>
      </div>
      <p class="note no-print">Move the map until it shows what the report shall show.</p>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {!fields && answer.is !== 'failed' && <Waiting what="The report is being written" />}
      {fields && <Paper parcel={parcel} point={point} fields={fields} boundary={boundary} catalog={catalog} />}
    </>
  );
}
