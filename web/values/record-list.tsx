import type { Catalog } from '../api/catalog.ts';
import type { FieldMeta } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import { valueText } from './value-text.ts';

/** A field as fetch and enrich answer it. */
export interface FieldRecord {
  readonly value: unknown;
  readonly unit: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly confidence: string;
  readonly fetched_at: string | null;
  readonly dataset_vintage: string | null;
  readonly notes: string | null;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly error?: string;
  readonly retryable?: boolean;
  readonly interpretation_hints?: string;
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
  isOpen = false,
}: {
  readonly name: string;
  readonly record: FieldRecord;
  readonly meta: FieldMeta | undefined;
  /** Whether it says at once what it means. */
  readonly isOpen?: boolean;
}) {
  const { status, value, unit, notes } = record;
  const hint = record.interpretation_hints ?? meta?.hint;
  const shape = isArea(value) || (typeof value === 'string' && value.length > 400);
  return (
    <details class={`record is-${status}`} id={`record-${name}`} open={isOpen}>
      <summary>
        <span class="record-title">{meta?.title ?? wordsOf(name)}</span>
        {status === 'ok' ? (
          <span class="record-value">{shape ? 'A shape' : valueText(value, unit)}</span>
        ) : (
          <span class={`badge ${status}`}>{status === 'absent' ? 'no data' : 'failed'}</span>
        )}
      </summary>
      <div class="record-body">
        {status === 'failed' && <p class="warn">{record.error}</p>}
        {status === 'absent' && <p>{notes ?? 'The source has nothing here.'}</p>}
        {hint && <p>{hint}</p>}
        <dl>
          <Detail label="Source">
            <SourceLink name={record.source} url={record.source_url} />
          </Detail>
          {record.dataset_vintage && <Detail label="As of">{record.dataset_vintage}</Detail>}
          {status === 'ok' && <Detail label="Confidence">{record.confidence}</Detail>}
          {status === 'ok' && notes && <Detail label="Note">{notes}</Detail>}
          {meta?.description && <Detail label="Measures">{meta.description}</Detail>}
          {record.fetched_at && <Detail label="Read">{new Date(record.fetched_at).toLocaleString()}</Detail>}
          <Detail label="Field">
            <code>{name}</code>
          </Detail>
        </dl>
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

/** Records of one layer. Many without a value are behind a line that counts them: each still says why. */
function Records({
  records,
  catalog,
  isFirst,
}: {
  readonly records: readonly (readonly [string, FieldRecord])[];
  readonly catalog: Catalog | null;
  readonly isFirst: boolean;
}) {
  const row = ([name, record]: readonly [string, FieldRecord], isOpen = false) => (
    <RecordRow key={name} name={name} record={record} meta={catalog?.fields.get(name)} isOpen={isOpen} />
  );
  const of = (status: string) => records.filter(([, record]) => record.status === status);
  const [shown, absent] = [[...of('ok'), ...of('failed')], of('absent')];
  const areFolded = absent.length > MOST_ABSENT && shown.length > 0;
  return (
    <div class="records">
      {shown.map((entry, i) => row(entry, isFirst && i === 0))}
      {areFolded ? (
        <details class="without">
          <summary>{absent.length} fields without a value</summary>
          {absent.map(entry => row(entry))}
        </details>
      ) : (
        absent.map((entry, i) => row(entry, isFirst && i === 0 && shown.length === 0))
      )}
    </div>
  );
}

/**
 * Records by the layer that they belong to, those with a value first. A preset names first what it is about: the first
 * record is open, so that its meaning is read and the others are seen to open too.
 */
export function RecordGroups({
  fields,
  catalog,
}: {
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly catalog: Catalog | null;
}) {
  const groups = new Map<string, [string, FieldRecord][]>();
  for (const [name, record] of Object.entries(fields)) {
    const layer = catalog?.fields.get(name)?.layer ?? 'other';
    const group = groups.get(layer) ?? [];
    groups.set(layer, group);
    group.push([name, record]);
  }
  return (
    <>
      {[...groups].map(([layer, records], i) => (
        <section key={layer} class="group" aria-label={wordsOf(layer)}>
          <h3>
            {wordsOf(layer)} <span class="count">{countsOf(records.map(([, record]) => record))}</span>
          </h3>
          <Records records={records} catalog={catalog} isFirst={i === 0} />
        </section>
      ))}
    </>
  );
}
