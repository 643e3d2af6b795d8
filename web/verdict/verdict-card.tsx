import { type Outcome, wordsOf } from '../../datasets/verdict.ts';
import type { Catalog } from '../api/catalog.ts';
import { type FieldRecord, isLacking } from '../values/field-record.ts';
import { dateWords, lackWords } from '../values/page-words.ts';
import { distanceWords, valueWords } from '../values/value-words.ts';
import { type Decision, type Matter, mattersOf } from './verdicts.ts';

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  yes: 'Yes',
  no: 'No',
  line: 'On the line',
  unknown: 'Not known',
};

/** Tells of the match and not of the ground. */
const HOW_MATCHED = 'parcel_match_type';
/** Matters that are told below the first before the rest is folded. */
const MOST_SHOWN = 3;

type Told = Decision<FieldRecord>;

/** The value in a sentence: what lies below something is said to be so by the sentence itself. */
const valueSaid = ({ name, record: { value, unit }, rule }: Told): string => {
  const isBelow = typeof value === 'number' && value < 0 && / below /.test(rule.words.yes);
  return valueWords(isBelow ? -value : value, unit, name);
};

/** The sentence for a decision, with a full stop. */
function sentenceOf(told: Told): string {
  const { outcome, why } = told.verdict;
  const reason = why === null ? null : lackWords(why).replace(/\.$/, '');
  const lower = reason && `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return `${distanceWords(wordsOf(told.rule, { outcome, why: lower || null }, valueSaid(told)))}.`;
}

/** How far the line is on whose other side it would be otherwise; null where that is not known. */
function distanceOf({ first, others }: Matter<FieldRecord>): string | null {
  const { edge } = first.verdict;
  if (edge) return `${valueWords(edge.metres, 'm', 'distance')} to the mapped line`;
  const far = [first, ...others].find(({ name, record }) => record.status === 'ok' && name.endsWith('_distance_m'));
  if (!far || far === first || far.record.value === 0) return null;
  return `${valueWords(far.record.value, 'm', far.name)} to the nearest such area`;
}

/** One matter of several, as a line. */
function MatterLine({ matter }: { readonly matter: Matter<FieldRecord> }) {
  const { outcome } = matter.first.verdict;
  return (
    <li>
      <span class={`outcome is-${outcome}`}>{OUTCOMES[outcome]}</span> <span>{sentenceOf(matter.first)}</span>
    </li>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The verdict on what a view is about: yes, no, on the line or not known, why, how far, and of when the map is. Nothing without a rule. */
export function VerdictCard({
  fields,
  catalog,
}: {
  /** What matters most first. */
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly catalog: Catalog | null;
}) {
  const matters = mattersOf(fields, name => (name === HOW_MATCHED ? null : catalog?.fields.get(name)?.verdict));
  const [lead, ...rest] = matters;
  if (!lead) return null;
  const { first } = lead;
  const { outcome, dated } = first.verdict;
  const decided = rest.filter(matter => matter.first.verdict.outcome !== 'unknown');
  const [shown, folded] = [decided.slice(0, MOST_SHOWN), decided.slice(MOST_SHOWN)];
  const distance = distanceOf(lead);
  return (
    <section class={`verdict is-${outcome}`} aria-label="Verdict">
      <p class="verdict-matter">{capital(first.rule.matter)}?</p>
      <p class="verdict-outcome">{OUTCOMES[outcome]}</p>
      <p>{sentenceOf(first)}</p>
      {(outcome === 'line' || (outcome === 'unknown' && !isLacking(first.record))) && (
        <p>{capital(first.rule.settled_by)} would be needed to settle it.</p>
      )}
      <dl class="verdict-facts">
        {distance && (
          <div>
            <dt>Distance</dt>
            <dd>{distance}</dd>
          </div>
        )}
        {dated !== null && (
          <div>
            <dt>Map of</dt>
            <dd>{dateWords(dated)}</dd>
          </div>
        )}
      </dl>
      {shown.length > 0 && (
        <ul class="matters">
          {shown.map(matter => (
            <MatterLine key={matter.first.name} matter={matter} />
          ))}
        </ul>
      )}
      {folded.length > 0 && (
        <details class="more-matters">
          <summary>{folded.length} more</summary>
          <ul class="matters">
            {folded.map(matter => (
              <MatterLine key={matter.first.name} matter={matter} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
