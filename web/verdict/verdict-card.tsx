import type { Catalog } from '../api/catalog.ts';
import { type FieldRecord, isCorrection, isLacking } from '../values/field-record.ts';
import { dateWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { capital, findingOf, HOW_MATCHED } from './finding.ts';
import { type Matter, mattersOf } from './verdicts.ts';

/** The point that a place is judged by. */
export const MARKED = 'the marked point';
/** Matters that are told below the first before the rest is folded. */
const MOST_SHOWN = 3;

/** How far the line is on whose other side it would be otherwise; null where that is not known. */
function distanceOf({ first, others }: Matter<FieldRecord>): string | null {
  const { edge } = first.verdict;
  if (edge) return `${valueWords(edge.metres, 'm', 'distance')} to the mapped line`;
  const far = [first, ...others].find(({ name, record }) => record.status === 'ok' && name.endsWith('_distance_m'));
  if (!far || far === first || far.record.value === 0) return null;
  return `${valueWords(far.record.value, 'm', far.name)} to the nearest such area`;
}

/** Matters below the first: what each is about, how it is decided, and why. */
function MatterLines({ matters }: { readonly matters: readonly Matter<FieldRecord>[] }) {
  return (
    <ul class="matters">
      {matters.map(matter => {
        const { outcome, label, text } = findingOf(matter, undefined);
        return (
          <li key={matter.first.name}>
            <span class={`outcome is-${outcome}`}>{label}</span>{' '}
            <span>
              <span class="matter">{capital(matter.first.rule.matter)}?</span> {text}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The verdict on what a view is about: yes, no, in part, on the line or not known, why, how far, and of when the map is. Nothing without a rule. */
export function VerdictCard({
  fields,
  catalog,
  from,
  floodShare,
}: {
  /** What matters most first. */
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly catalog: Catalog | null;
  /** Where distances are measured from: "the marked point". */
  readonly from: string;
  /** How much of the parcel floods, where that is known of the place. */
  readonly floodShare: FieldRecord | undefined;
}) {
  const matters = mattersOf(fields, name => (name === HOW_MATCHED ? null : catalog?.fields.get(name)?.verdict));
  const [lead, ...rest] = matters;
  if (!lead) return null;
  const { first } = lead;
  const { outcome, label, text } = findingOf(lead, floodShare);
  const { dated } = first.verdict;
  const decided = rest.filter(matter => matter.first.verdict.outcome !== 'unknown');
  const [shown, folded] = [decided.slice(0, MOST_SHOWN), decided.slice(MOST_SHOWN)];
  const distance = distanceOf(lead);
  return (
    <section class={`verdict is-${outcome}`} aria-label="Verdict">
      <p class="verdict-matter">{capital(first.rule.matter)}?</p>
      <p class="verdict-outcome">{label}</p>
      <p>{text}</p>
      {(outcome === 'line' || (outcome === 'unknown' && !isLacking(first.record))) && (
        <p>{capital(first.rule.settled_by)} would be needed to settle it.</p>
      )}
      <dl class="verdict-facts">
        {distance && (
          <div>
            <dt>Distance</dt>
            <dd>
              {distance}, from {from}
            </dd>
          </div>
        )}
        {dated !== null && (
          <div>
            <dt>{isCorrection(first.record) ? 'Corrected on' : 'Map of'}</dt>
            <dd>{dateWords(dated)}</dd>
          </div>
        )}
      </dl>
      {shown.length > 0 && <MatterLines matters={shown} />}
      {folded.length > 0 && (
        <details class="more-matters">
          <summary>{folded.length} more</summary>
          <MatterLines matters={folded} />
        </details>
      )}
    </section>
  );
}
