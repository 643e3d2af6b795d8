import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { FieldMeta } from '../api/field.ts';
import { valueWords } from '../values/value-words.ts';
import { parcelCount } from './condition-words.ts';
import type { DraftFilter, Filter } from './filter.ts';
import { barsOf, boundedBy, boundsBetween, boundsOf } from './histogram-bins.ts';
import { useSettled } from './settled.ts';
import '../style/desk.css';

type Aggregated = AnswerOf<'aggregate'>;

/** Shares of the parcels that the outer bars hold together with what is farther out. */
const OUTER = [0.02, 0.98] as const;
const HEIGHT = 40;

/** One of the two bounds, as a slider over the bars. It tells when it is let go. */
function BoundSlider({
  label,
  at,
  most,
  words,
  onMove,
}: {
  readonly label: string;
  /** Between the bars, from 0. */
  readonly at: number;
  readonly most: number;
  readonly words: (at: number) => string;
  readonly onMove: (at: number) => void;
}) {
  const [moved, setMoved] = useState<number | null>(null);
  const shown = moved ?? at;
  useEffect(() => setMoved(null), [at]);
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={words(shown)}
      min={0}
      max={most}
      value={shown}
      onInput={event => setMoved(event.currentTarget.valueAsNumber)}
      onChange={event => onMove(event.currentTarget.valueAsNumber)}
    />
  );
}

/** The bound nearest to a value, from 0. */
const nearest = (value: number, bounds: readonly number[]): number =>
  bounds.reduce((best, bound, i) => (Math.abs(bound - value) < Math.abs(bounds[best]! - value) ? i : best), 0);

/**
 * How the parcels that pass all other conditions are spread over a field, as bars between two bounds that can be dragged.
 * @param others conditions with the state first. @param draft the condition on the field.
 */
export function Histogram({
  meta,
  others,
  draft,
  onChange,
}: {
  readonly meta: FieldMeta;
  readonly others: readonly Filter[];
  readonly draft: DraftFilter;
  readonly onChange: (draft: DraftFilter) => void;
}) {
  const filters = JSON.parse(useSettled(JSON.stringify(others))) as Filter[];
  const field = meta.name;
  const of = (body: object) => ({ method: 'POST', path: '/v1/aggregate', body: { filters, ...body } }) as const;
  const [outer] = useAnswer<Aggregated>(of({ measures: OUTER.map(q => ({ op: 'quantile', field, q })) }));
  const [least, greatest] = outer.is === 'here' ? (outer.value.groups[0]?.measures ?? []) : [];
  const bounds =
    typeof least?.value === 'number' && typeof greatest?.value === 'number'
      ? boundsBetween(least.value, greatest.value, meta.type === 'integer')
      : [];
  const [answer] = useAnswer<Aggregated>(
    bounds.length > 2 ? of({ group_by: [{ bins: field, edges: bounds }], measures: [{ op: 'count' }] }) : null,
  );
  // Where nothing can be counted the condition is written without it.
  if (outer.is === 'failed' || answer.is === 'failed') return null;
  if (outer.is === 'here' && bounds.length < 3) return null;
  const told = answer.is === 'here' ? answer.value : answer.is === 'waiting' ? (answer.last?.value ?? null) : null;
  if (!told || bounds.length === 0)
    return (
      <div class="histogram is-waiting" role="status">
        <span class="visually-hidden">Values are being counted</span>
      </div>
    );
  const bars = barsOf(told.groups, bounds);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const last = bounds.length - 1;
  const { from, to } = boundsOf(draft.op, draft.values);
  const [left, right] = [from === null ? 0 : nearest(from, bounds), to === null ? last : nearest(to, bounds)];
  const words = (value: number) => valueWords(value, meta.unit, field);
  /** The outer bounds let everything in that is farther out. */
  const move = (i: number, j: number) =>
    onChange({
      ...draft,
      ...boundedBy({ from: i === 0 ? null : bounds[i]!, to: j === last ? null : bounds[j]! }, bounds[0]!),
    });
  // A bound between two of the bars cuts one of them.
  const isExact = [from, to].every(bound => bound === null || bounds.includes(bound));
  const inside = bars.slice(left, right).reduce((sum, { count }) => sum + count, 0);
  return (
    <figure class="histogram" aria-busy={answer.is === 'waiting'}>
      <div class="histogram-bars">
        <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ count }, i) => {
            const height = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
            return (
              <rect
                key={i}
                class={i >= left && i < right ? 'used' : 'unused'}
                x={i + 0.08}
                width={0.84}
                y={HEIGHT - height}
                height={height}
              />
            );
          })}
        </svg>
        <BoundSlider
          label={`Least ${meta.title}`}
          at={left}
          most={last}
          words={at => (at === 0 ? 'no bound' : words(bounds[at]!))}
          onMove={at => move(Math.min(at, right - 1), right)}
        />
        <BoundSlider
          label={`Greatest ${meta.title}`}
          at={right}
          most={last}
          words={at => (at === last ? 'no bound' : words(bounds[at]!))}
          onMove={at => move(left, Math.max(at, left + 1))}
        />
      </div>
      <figcaption>
        <span>{words(bounds[0]!)}</span>
        <span>{`${isExact ? '' : 'about '}${parcelCount(inside)}`}</span>
        <span>{words(bounds[last]!)}</span>
      </figcaption>
    </figure>
  );
}
