import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { Catalog } from '../api/catalog.ts';
import { errorWords } from '../api/error-words.ts';
import { conditionWords, parcelCount, pass } from './condition-words.ts';
import type { Filter } from './filter.ts';

type Explained = AnswerOf<'searchExplain'>;
type Empty = Extract<Explained, { readonly relax: unknown }>;

/** The condition with another bound; null where it must go. */
function relaxed({ field, op }: Filter, value: Empty['relax'][number]['value']): Filter | null {
  if (value === null) return null;
  const wider = op === 'gt' ? 'gte' : op === 'lt' ? 'lte' : op === 'eq' || op === 'ne' ? 'in' : op;
  return { field, op: wider, value: wider === 'in' && !Array.isArray(value) ? [value] : value };
}

/**
 * What one condition would have to become for parcels to pass, where none does.
 * @param filters with the state first. @param onRelax receives all conditions but the state, of which one is wider or left out.
 */
export function Relax({
  filters,
  catalog,
  onRelax,
}: {
  readonly filters: readonly Filter[];
  readonly catalog: Catalog | null;
  readonly onRelax: (filters: readonly Filter[]) => void;
}) {
  const [answer] = useAnswer<Explained>({ method: 'POST', path: '/v1/search/explain', body: { filters } });
  if (answer.is === 'failed') return <p class="note">What to relax could not be told. {errorWords(answer.error)}</p>;
  if (answer.is !== 'here')
    return (
      <p class="note" role="status">
        Looking for what to relax…
      </p>
    );
  if (!('relax' in answer.value)) return null;
  const { relax } = answer.value;
  if (relax.length === 0)
    return <p class="note">No condition can give way alone: two or more of them each keep every parcel out.</p>;
  const take = (index: number, wider: Filter | null) =>
    onRelax(filters.flatMap((filter, i) => (i === 0 ? [] : i === index ? (wider ? [wider] : []) : [filter])));
  return (
    <section class="set-count" aria-label="What to relax">
      <p>What to relax:</p>
      <ul class="relax">
        {relax.map(({ index, value, matches }) => {
          const wider = relaxed(filters[index]!, value);
          const what = wider
            ? conditionWords(wider, catalog)
            : `Leave out: ${conditionWords(filters[index]!, catalog).replace(/^[A-Z](?=[a-z])/, c => c.toLowerCase())}`;
          return (
            <li key={index}>
              <span>
                {what}. <span class="note">{`${parcelCount(matches)} ${pass(matches)} then.`}</span>
              </span>
              <button type="button" class="small" onClick={() => take(index, wider)}>
                {wider ? 'Use this' : 'Leave it out'}
                <span class="visually-hidden"> {what}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
