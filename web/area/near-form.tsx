import { useEffect, useId, useState } from 'preact/hooks';
import { sceneNow } from '../map/scene.ts';
import { placeText, readPlace } from '../shell/address.ts';
import { useUnits } from '../values/units.ts';
import { type Near, nearOf, type Reach } from './near.ts';

/** What a reach may be typed in, by the reader's units. */
const OFFERED: Readonly<Record<'us' | 'metric', readonly (readonly [Reach, string])[]>> = {
  us: [
    ['miles', 'miles'],
    ['feet', 'feet'],
    ['minutes', 'minutes by car'],
  ],
  metric: [
    ['kilometers', 'kilometers'],
    ['meters', 'meters'],
    ['minutes', 'minutes by car'],
  ],
};

/** Asks for a distance or a drive about a place. @param picked the place that was last picked on the map. @param map the view of the map, whose middle is offered. */
export function NearForm({
  picked,
  map,
  onNear,
  onCancel,
}: {
  readonly picked: string | null;
  readonly map: string;
  readonly onNear: (near: Near) => void;
  readonly onCancel: () => void;
}) {
  const id = useId();
  const units = useUnits();
  const [where, setWhere] = useState(sceneNow().marker ? placeText(sceneNow().marker!) : '');
  const [amount, setAmount] = useState('1');
  const [reach, setReach] = useState<Reach>(OFFERED[units][0]![0]);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    if (picked) setWhere(picked);
  }, [picked]);
  const middle = readPlace(map.split('/').slice(1).join(','));
  const use = () => {
    const near = nearOf(where, amount, reach);
    setWrong(near === null);
    if (near) onNear(near);
  };
  const onKey = (event: KeyboardEvent) => {
    // The form around this one would search.
    if (event.key !== 'Enter') return;
    event.preventDefault();
    use();
  };
  return (
    <>
      <div class="row near-row">
        <label for={`${id}-amount`}>Within</label>
        <input
          id={`${id}-amount`}
          class="short"
          inputMode="decimal"
          value={amount}
          onInput={event => setAmount(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <select aria-label="Measured in" value={reach} onChange={event => setReach(event.currentTarget.value as Reach)}>
          {OFFERED[units].map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <label class="field">
        Of an address or a coordinate; a click on the map fills it in
        <input
          value={where}
          spellcheck={false}
          autocomplete="off"
          placeholder="73 Harlow St, Bangor, ME"
          onInput={event => setWhere(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </label>
      {reach === 'minutes' && <p class="note">A drive time costs 1 credit; everything else here is free.</p>}
      {isWrong && (
        <p class="warn" role="alert">
          Give a number above 0 and a place.
        </p>
      )}
      <div class="row end">
        {middle && (
          <button type="button" onClick={() => setWhere(placeText(middle))}>
            Middle of the map
          </button>
        )}
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={use}>
          Use this area
        </button>
      </div>
    </>
  );
}
