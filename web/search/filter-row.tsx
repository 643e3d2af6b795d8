import { useId } from 'preact/hooks';
import { type FieldMeta, isHere } from '../api/field.ts';
import { later } from '../shell/later.tsx';
import { unitText } from '../values/value-text.ts';
import { FieldBox } from './field-box.tsx';
import { type DraftFilter, type Filter, operatorsOf, operatorText } from './filter.ts';

const Histogram = later(async () => (await import('./histogram.tsx')).Histogram, 'Values are being counted');

/** Where a value is typed: a date is picked. */
function ValueInput({
  label,
  type,
  placeholder = '',
  value,
  onText,
}: {
  readonly label: string;
  readonly type: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  if (type === 'date')
    return <input type="date" aria-label={label} value={value} onInput={event => onText(event.currentTarget.value)} />;
  return (
    <input
      type="text"
      aria-label={label}
      inputMode={type === 'number' || type === 'integer' ? 'decimal' : 'text'}
      placeholder={placeholder}
      value={value}
      onInput={event => onText(event.currentTarget.value)}
    />
  );
}

/** Chooses among the values of a closed list, or among yes and no. */
function Choice({
  label,
  options,
  values,
  several,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly values: readonly string[];
  readonly several: boolean;
  readonly onChange: (values: string[]) => void;
}) {
  return (
    <select
      aria-label={label}
      multiple={several}
      onChange={event => onChange([...event.currentTarget.selectedOptions].map(option => option.value))}
    >
      {!several && (
        <option value="" selected={values.length === 0}>
          Choose…
        </option>
      )}
      {options.map(([value, text]) => (
        <option key={value} value={value} selected={values.includes(value)}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** What a value may look like. A share is typed as the interface has it, though values are read in hundredths. */
const exampleOf = (unit: string | null): string => (unit === 'fraction' ? '0.25 for 25 %' : unitText(unit ?? ''));

/** One condition: a field, how it is compared, with what. What is offered follows from the field's type. */
export function FilterRow({
  draft,
  fields,
  others,
  onChange,
  onRemove,
}: {
  readonly draft: DraftFilter;
  readonly fields: readonly FieldMeta[];
  /** The other conditions of the search, the state first; null while there is none to ask. */
  readonly others: readonly Filter[] | null;
  readonly onChange: (draft: DraftFilter) => void;
  readonly onRemove: () => void;
}) {
  const id = useId();
  const meta = fields.find(field => field.name === draft.field);
  const { op, values } = draft;
  const set = (at: number, text: string) => {
    const next = [...values];
    next[at] = text;
    onChange({ ...draft, values: next.map(value => value ?? '') });
  };
  const options: readonly (readonly [string, string])[] | null =
    meta?.type === 'boolean'
      ? [
          ['true', 'yes'],
          ['false', 'no'],
        ]
      : (meta?.enum_values?.map(value => [String(value), String(value)] as const) ?? null);
  const name = meta?.title ?? 'the field';
  const isMeasured = (meta?.type === 'number' || meta?.type === 'integer') && !options && isHere(meta);
  return (
    <fieldset class="filter">
      <legend class="visually-hidden">Condition on {name}</legend>
      <FieldBox
        fields={fields}
        chosen={meta}
        isNew={draft.field === ''}
        onChoose={field =>
          onChange({ field: field.name, op: operatorsOf(field).includes('gte') ? 'gte' : 'eq', values: [] })
        }
      />
      {meta && (
        <div class="filter-rest">
          <select
            aria-label={`How ${name} is compared`}
            value={op}
            onChange={event => onChange({ ...draft, op: event.currentTarget.value })}
          >
            {operatorsOf(meta).map(operator => (
              <option key={operator} value={operator}>
                {operatorText(operator)}
              </option>
            ))}
          </select>
          {options ? (
            <Choice
              label={`Value of ${name}`}
              options={options}
              values={values}
              several={op === 'in'}
              onChange={next => onChange({ ...draft, values: next })}
            />
          ) : (
            <>
              <ValueInput
                label={op === 'between' ? `Least ${name}` : `Value of ${name}`}
                type={op === 'in' ? 'text' : meta.type}
                placeholder={op === 'in' ? 'A, B, C' : exampleOf(meta.unit)}
                value={values[0] ?? ''}
                onText={text => set(0, text)}
              />
              {op === 'between' && (
                <>
                  <span>and</span>
                  <ValueInput
                    label={`Greatest ${name}`}
                    type={meta.type}
                    value={values[1] ?? ''}
                    onText={text => set(1, text)}
                  />
                </>
              )}
            </>
          )}
        </div>
      )}
      {meta && others && isMeasured && <Histogram meta={meta} others={others} draft={draft} onChange={onChange} />}
      {meta && (
        <p class="note">{options && meta.type !== 'boolean' ? meta.hint || meta.description : meta.description}</p>
      )}
      <button
        type="button"
        class="icon remove"
        aria-label={`Remove the condition on ${name}`}
        onClick={onRemove}
        id={id}
      >
        ×
      </button>
    </fieldset>
  );
}
