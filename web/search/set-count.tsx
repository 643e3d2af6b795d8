import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { Catalog } from '../api/catalog.ts';
import { errorWords } from '../api/error-words.ts';
import { pageWords } from '../values/page-words.ts';
import { conditionWords, parcelCount, pass } from './condition-words.ts';
import type { Filter } from './filter.ts';
import { useSettled } from './settled.ts';
import '../style/desk.css';

type Count = AnswerOf<'searchCount'>;

/** The condition without which most parcels more would pass; null where none keeps any out. */
function dearest({ count, per_filter: all }: Count) {
  const judged = all.flatMap(({ index, without }) => (index > 0 && without !== null ? [{ index, without }] : []));
  const [most] = judged.sort((a, b) => b.without - a.without);
  return most && most.without > count ? most : null;
}

const told = (count: number | null) => (count === null ? 'not known' : count.toLocaleString('en-US'));

/** How many parcels pass the conditions as they are written, and which condition costs most. @param filters with the state first. */
export function SetCount({
  filters,
  catalog,
}: {
  readonly filters: readonly Filter[];
  readonly catalog: Catalog | null;
}) {
  const key = JSON.stringify(filters);
  const settled = useSettled(key);
  const [answer] = useAnswer<Count>({
    method: 'POST',
    path: '/v1/search/count',
    body: { filters: JSON.parse(settled) as Filter[] },
  });
  // Whoever may not count may not search either, and is told so by the search.
  if (answer.is === 'failed' && answer.error.status === 401) return null;
  if (answer.is === 'failed')
    return (
      <p class="note" role="status">
        They could not be counted. {errorWords(answer.error)}
      </p>
    );
  const isCounting = key !== settled || answer.is !== 'here';
  const last = answer.is === 'here' ? answer : answer.is === 'waiting' ? answer.last : null;
  if (!last)
    return (
      <p class="set-count" role="status">
        Counting…
      </p>
    );
  const { count, outlines, at_least: isLeast, unknown, warnings, per_filter: each } = last.value;
  const asked = (last.request.body as { filters: Filter[] }).filters;
  const most = dearest(last.value);
  const wordsAt = (index: number) => conditionWords(asked[index]!, catalog);
  return (
    <section class={`set-count${isCounting ? ' is-old' : ''}`} aria-label="How many pass">
      <p role="status">
        <strong>
          {isLeast && 'At least '}
          {parcelCount(count)}
        </strong>{' '}
        {pass(count)}
        {asked.length === 1 ? ': all of this state' : ''}
        {outlines < count ? `, on ${outlines.toLocaleString('en-US')} pieces of ground` : ''}.
        {unknown > 0 && ` Of ${parcelCount(unknown)} it is not known.`}
        {isCounting && <span class="note"> Counting…</span>}
      </p>
      {most && (
        <p class="note">
          What costs most: <strong>{wordsAt(most.index)}</strong>. Without it {parcelCount(most.without)} would pass.
        </p>
      )}
      {asked.length > 2 && (
        <details>
          <summary>Each condition</summary>
          <table class="desk-table">
            <thead>
              <tr>
                <th scope="col">Condition</th>
                <th scope="col" class="number">
                  Pass it alone
                </th>
                <th scope="col" class="number">
                  Pass without it
                </th>
              </tr>
            </thead>
            <tbody>
              {each
                .filter(({ index }) => index > 0 && asked[index])
                .map(({ index, alone, without }) => (
                  <tr key={index}>
                    <th scope="row">{wordsAt(index)}</th>
                    <td class="number">{told(alone)}</td>
                    <td class="number">{told(without)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      )}
      {warnings
        .map(pageWords)
        .filter(words => words !== '')
        .map(words => (
          <p key={words} class="note">
            {words}
          </p>
        ))}
    </section>
  );
}
