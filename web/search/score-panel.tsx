import { useState } from 'preact/hooks';
import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { FieldBox } from './field-box.tsx';
import { HEAVIEST, MOST_WEIGHTS, type Weight } from './ranking.ts';

const isNumber = (type: string) => type === 'number' || type === 'integer';

/** One thing that the score weighs: the slider tells when it is let go. */
function WeightRow({
  weight: { field, weight, prefer },
  title,
  onChange,
  onRemove,
}: {
  readonly weight: Weight;
  readonly title: string;
  readonly onChange: (next: Weight) => void;
  readonly onRemove: () => void;
}) {
  const [moved, setMoved] = useState<number | null>(null);
  const shown = moved ?? weight;
  return (
    <li class="weight">
      <select
        aria-label={`What is better of ${title}`}
        value={prefer}
        onChange={event => onChange({ field, weight, prefer: event.currentTarget.value as Weight['prefer'] })}
      >
        <option value="high">More</option>
        <option value="low">Less</option>
      </select>
      <label class="grow">
        {title}
        <input
          type="range"
          min={1}
          max={HEAVIEST}
          value={shown}
          aria-valuetext={`weight ${shown} of ${HEAVIEST}`}
          onInput={event => setMoved(event.currentTarget.valueAsNumber)}
          onChange={event => {
            setMoved(null);
            onChange({ field, prefer, weight: event.currentTarget.valueAsNumber });
          }}
        />
      </label>
      <output>{shown}</output>
      <button type="button" class="icon" aria-label={`Do not weigh ${title}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}

/** What parcels are scored by: fields of numbers, each with how much it weighs. */
export function ScorePanel({
  weights,
  catalog,
  onChange,
}: {
  readonly weights: readonly Weight[];
  readonly catalog: Catalog | null;
  readonly onChange: (weights: readonly Weight[]) => void;
}) {
  const chosen = weights.map(({ field }) => field);
  const fields = catalog?.filters.filter(({ name, type }) => isNumber(type) && !chosen.includes(name)) ?? [];
  const titleOf = (name: string) => catalog?.fields.get(name)?.title ?? wordsOf(name);
  return (
    <section class="set-count" aria-label="Score">
      <p class="note">
        The score of a parcel is the share of all that pass which it beats, weighed over what you choose here: 100 is
        the best.
      </p>
      <ul class="weights">
        {weights.map((weight, i) => (
          <WeightRow
            key={weight.field}
            weight={weight}
            title={titleOf(weight.field)}
            onChange={next => onChange(weights.map((other, j) => (i === j ? next : other)))}
            onRemove={() => onChange(weights.filter((_, j) => i !== j))}
          />
        ))}
      </ul>
      {weights.length < MOST_WEIGHTS && (
        <FieldBox
          key={chosen.join()}
          fields={fields}
          chosen={undefined}
          isNew={weights.length === 0}
          onChoose={({ name }) => onChange([...weights, { field: name, weight: 5, prefer: 'high' }])}
        />
      )}
    </section>
  );
}
