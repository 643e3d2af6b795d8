import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type FieldMeta, isHere } from '../api/field.ts';
import { unitText } from '../values/value-text.ts';
import { fieldsMeant } from './filter.ts';

/** Fields that are offered at once. */
const MOST = 12;

/** Chooses a field of the catalog; completes what is typed (an ARIA combobox with a list). */
export function FieldBox({
  fields,
  chosen,
  isNew,
  onChoose,
}: {
  readonly fields: readonly FieldMeta[];
  readonly chosen: FieldMeta | undefined;
  /** Whether it was added just now, to be typed into. */
  readonly isNew: boolean;
  readonly onChoose: (field: FieldMeta) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const open = typed !== null;
  const offered = open ? fieldsMeant(typed, fields, MOST) : [];
  useEffect(() => {
    if (isNew) input.current?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, id]);
  const choose = (field: FieldMeta | undefined) => {
    setTyped(null);
    if (field) onChoose(field);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!open) setTyped('');
      else setAt((at + (event.key === 'ArrowDown' ? 1 : offered.length - 1)) % Math.max(1, offered.length));
    } else if (event.key === 'Enter' && open) choose(offered[at]);
    else if (event.key === 'Escape' && open) setTyped(null);
    else return;
    event.preventDefault();
  };
  return (
    <div class="combo">
      <input
        ref={input}
        role="combobox"
        aria-label="Field"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && offered.length > 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Field: acreage, flood zone…"
        value={typed ?? chosen?.title ?? ''}
        title={chosen?.title}
        onInput={event => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onFocus={event => event.currentTarget.select()}
        onBlur={() => setTyped(null)}
        onKeyDown={onKey}
      />
      <div id={`${id}-list`} class="combo-list" role="listbox" aria-label="Fields" hidden={!open}>
        {offered.map((field, i) => (
          <div
            key={field.name}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            tabIndex={-1}
            onMouseDown={event => {
              event.preventDefault();
              choose(field);
            }}
          >
            <span>
              {field.title}
              {field.unit && unitText(field.unit) !== '' && <span class="combo-unit"> in {unitText(field.unit)}</span>}
            </span>
            <span class="combo-about">
              {isHere(field) ? '' : 'No data here. '}
              {field.description}
            </span>
          </div>
        ))}
        {open && offered.length === 0 && <div class="combo-none">No field of that name</div>}
      </div>
    </div>
  );
}
