import type { DrawingKind } from '../map/drawn.ts';
import { useUnits } from '../values/units.ts';
import { type AreaDrawing, isReach } from './area-drawing.ts';

/** What can be drawn, as people say it, and how. */
const KINDS: readonly (readonly [kind: DrawingKind, title: string, how: string])[] = [
  ['area', 'Polygon', 'Click its corners on the map; click the first again, or press Enter, to close it.'],
  ['box', 'Rectangle', 'Click two opposite corners on the map.'],
  ['circle', 'Circle', 'Click its middle on the map, then a point on its edge.'],
  ['line', 'Along a line', 'Click along it on the map; click its end again, or press Enter, to end it.'],
];

/** What is being drawn, and how that is done; or that corners are being moved. */
export function DrawingForm({ drawing: { kind, far, begin, setFar } }: { readonly drawing: AreaDrawing }) {
  const units = useUnits();
  const [, , how] = KINDS.find(([name]) => name === kind) ?? [];
  if (kind === 'corners')
    return (
      <>
        <p class="note" role="status">
          Drag corners, or the points between them; a double click removes one. By keys: the space bar moves the corner
          nearest to the middle of the map there.
        </p>
        <div class="row end">
          <button type="button" class="primary" onClick={() => begin(null)}>
            Done
          </button>
        </div>
      </>
    );
  return (
    <>
      <fieldset class="segments">
        <legend class="visually-hidden">What is drawn</legend>
        {KINDS.map(([name, title]) => (
          <button key={name} type="button" aria-pressed={name === kind} onClick={() => begin(name)}>
            {title}
          </button>
        ))}
      </fieldset>
      {kind === 'line' && (
        <label class="row">
          Within
          <input
            class="short"
            inputMode="decimal"
            value={far}
            aria-invalid={!isReach(far)}
            onInput={event => setFar(event.currentTarget.value)}
          />
          {units === 'us' ? 'feet of it' : 'meters of it'}
        </label>
      )}
      <p class="note" role="status">
        {how} By keys: arrow keys move the map, the space bar sets a point in its middle.
      </p>
      <div class="row end">
        <button type="button" onClick={() => begin(null)}>
          Cancel
        </button>
      </div>
    </>
  );
}
