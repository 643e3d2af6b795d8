import type { Catalog } from '../api/catalog.ts';
import type { FieldMeta } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import { hrefOf } from '../shell/address.ts';
import { type FieldRecord, isCorrection, isLacking } from './field-record.ts';
import { dateWords, lackWords, pageWords } from './page-words.ts';
import { type Standing, standingOf, useQuantiles } from './rank.ts';
import { distanceWords, valueWords } from './value-words.ts';

/** Who publishes what a record is from, by name: its identifier is for programs. */
function publisherOf({ source }: FieldRecord, meta: FieldMeta | undefined): string {
  if (isCorrection({ source })) return 'A correction that was reviewed';
  const publishers = source
    .split(';')
    .map(one => meta?.in_release?.find(product => product.source === one)?.publisher ?? meta?.publisher ?? '')
    .filter(name => name !== '');
  return [...new Set(publishers)].join(' and ') || 'The parcel file of this place';
}

/** A link to where a source is published; its name alone where it is no address of the web. */
function SourceLink({ name, url }: { readonly name: string; readonly url: string | null }) {
  if (url === null || !/^https?:\/\//.test(url)) return <>{name}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {name}
    </a>
  );
}

function Detail({ label, children }: { readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function isArea(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'coordinates' in value;
}

/** One value: what it is, and behind a click what it means and where it comes from. */
export function RecordRow({
  name,
  record,
  meta,
  standing = null,
  at = null,
  isOpen = false,
}: {
  readonly name: string;
  readonly record: FieldRecord;
  readonly meta: FieldMeta | undefined;
  /** Where it stands among the parcels of the county; null where that says nothing. */
  readonly standing?: Standing | null;
  /** The place as addresses have it; null where nobody can say that it is wrong there. */
  readonly at?: string | null;
  /** Whether it says at once what it means. */
  readonly isOpen?: boolean;
}) {
  const { status, value, unit, notes } = record;
  const hint = record.interpretation_hints ?? meta?.hint;
  const shape = isArea(value) || (typeof value === 'string' && value.length > 400);
  return (
    <details class={`record is-${status}`} id={`record-${name}`} open={isOpen}>
      <summary>
        <span class="record-title">{distanceWords(meta?.title ?? wordsOf(name))}</span>
        {status === 'ok' ? (
          <span class="record-value">{shape ? 'A shape' : valueWords(value, unit, name)}</span>
        ) : (
          <span class={`badge ${status}`}>{status === 'absent' ? 'no data' : 'failed'}</span>
        )}
        {standing && (
          <span class="standing">
            <span class="standing-bar" aria-hidden="true">
              <span style={{ width: `${standing.below}%` }} />
            </span>
            {standing.words}
          </span>
        )}
      </summary>
      <div class="record-body">
        {status === 'failed' && <p>{pageWords(record.error ?? '')}</p>}
        {status === 'absent' && <p>{pageWords(notes ?? '') || 'The source has nothing here.'}</p>}
        {hint && <p>{hint}</p>}
        <dl>
          <Detail label="Source">
            <SourceLink name={publisherOf(record, meta)} url={record.source_url} />
          </Detail>
          {record.dataset_vintage && <Detail label="As of">{dateWords(record.dataset_vintage)}</Detail>}
          {status === 'ok' && <Detail label="Confidence">{record.confidence}</Detail>}
          {status === 'ok' && notes && <Detail label="Note">{pageWords(notes)}</Detail>}
          {meta?.description && <Detail label="Measures">{meta.description}</Detail>}
        </dl>
        {at !== null && status !== 'failed' && !shape && (
          <p class="links">
            <a href={hrefOf({ view: 'console', state: { correct: name, at } })}>Something is wrong here</a>
          </p>
        )}
      </div>
    </details>
  );
}

/** Records without a value that are shown among the others. */
const MOST_ABSENT = 5;

/** What a heading says of the records below it. */
function countsOf(records: readonly FieldRecord[]): string {
  const count = (status: string) => records.filter(record => record.status === status).length;
  const parts = [`${count('ok')} of ${records.length}`];
  if (count('failed') > 0) parts.push(`${count('failed')} failed`);
  return parts.join(', ');
}

type Entry = readonly [name: string, record: FieldRecord];

/** Records of one layer. Many without a value are behind a line that counts them: each still says why. */
function Records({
  records,
  rowOf,
  isFirst,
}: {
  readonly records: readonly Entry[];
  readonly rowOf: (entry: Entry, isOpen?: boolean) => preact.JSX.Element;
  readonly isFirst: boolean;
}) {
  const of = (status: string) => records.filter(([, record]) => record.status === status);
  const [shown, absent] = [[...of('ok'), ...of('failed')], of('absent')];
  const areFolded = absent.length > MOST_ABSENT && shown.length > 0;
  return (
    <div class="records">
      {shown.map((entry, i) => rowOf(entry, isFirst && i === 0))}
      {areFolded ? (
        <details class="without">
          <summary>{absent.length} fields without a value</summary>
          {absent.map(entry => rowOf(entry))}
        </details>
      ) : (
        absent.map((entry, i) => rowOf(entry, isFirst && i === 0 && shown.length === 0))
      )}
    </div>
  );
}

/** What the release has no data for, as one line that opens. */
function Lacking({ records, catalog }: { readonly records: readonly Entry[]; readonly catalog: Catalog | null }) {
  if (records.length === 0) return null;
  const reasons = Map.groupBy(records, ([, { error, notes }]) => lackWords(error ?? notes ?? ''));
  return (
    <details class="lacking">
      <summary>
        This server holds no data for {records.length === 1 ? 'one more value' : `${records.length} more values`} here
      </summary>
      <ul>
        {[...reasons].map(([reason, entries]) => (
          <li key={reason}>
            <strong>
              {entries.map(([name]) => distanceWords(catalog?.fields.get(name)?.title ?? wordsOf(name))).join(', ')}
            </strong>
            : {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Records by the layer that they belong to, those with a value first. A preset names first what it is about: the first
 * record is open, so that its meaning is read and the others are seen to open too.
 */
export function RecordGroups({
  fields,
  catalog,
  county = null,
  at = null,
}: {
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly catalog: Catalog | null;
  /** Five digits: numbers are compared with the parcels of this county; null: with all of the release. */
  readonly county?: string | null;
  /** The place as addresses have it; null where nobody can say that a value is wrong. */
  readonly at?: string | null;
}) {
  const entries = Object.entries(fields);
  const lacking = entries.filter(([, record]) => isLacking(record));
  const groups = Map.groupBy(
    entries.filter(([, record]) => !isLacking(record)),
    ([name]) => catalog?.fields.get(name)?.layer ?? 'other',
  );
  const numbers = entries.filter(([, { value, unit }]) => typeof value === 'number' && unit !== null);
  const quantiles = useQuantiles(
    county,
    numbers.map(([name]) => name),
  );
  const rowOf = ([name, record]: Entry, isOpen = false) => (
    <RecordRow
      key={name}
      name={name}
      record={record}
      meta={catalog?.fields.get(name)}
      standing={quantiles && typeof record.value === 'number' ? standingOf(name, record.value, quantiles) : null}
      at={at}
      isOpen={isOpen}
    />
  );
  return (
    <>
      {[...groups].map(([layer, records], i) => (
        <section key={layer} class="group" aria-label={wordsOf(layer)}>
          <h3>
            {wordsOf(layer)} <span class="count">{countsOf(records.map(([, record]) => record))}</span>
          </h3>
          <Records records={records} rowOf={rowOf} isFirst={i === 0} />
        </section>
      ))}
      <Lacking records={lacking} catalog={catalog} />
    </>
  );
}
