import { useRef, useState } from 'preact/hooks';
import { pointsOf } from '../file/points.ts';
import { cornersOf } from '../map/corners.ts';
import type { AreaGeometry } from '../map/scene.ts';
import { change, type Place } from '../shell/address.ts';
import { later } from '../shell/later.tsx';
import { valueWords } from '../values/value-words.ts';
import type { AreaDrawing } from './area-drawing.ts';
import { DrawingForm } from './drawing-form.tsx';
import { type Near, nearWords } from './near.ts';

const FileForm = later(async () => (await import('../file/file-form.tsx')).FileForm, 'The form is on its way');
const NearForm = later(async () => (await import('./near-form.tsx')).NearForm, 'The form is on its way');

/** Positions of an area whose corners can be moved at most. */
const MOST_MOVED = 200;

/** Positions of an area, closing ones included. */
const countOf = ({ coordinates }: AreaGeometry): number => (coordinates as unknown[]).flat(Infinity).length / 2;

/** An area in words: how many corners it has, or how many points it stands for. */
function areaWords(area: AreaGeometry): string {
  const points = pointsOf(area)?.length ?? 0;
  if (points > 0) return `${points.toLocaleString('en-US')} ${points === 1 ? 'point' : 'points'}`;
  return `an area of ${(countOf(area) - 1).toLocaleString('en-US')} corners`;
}

/** Reads a GeoJSON geometry, or the one of a Feature or of the first of a collection. @throws Error saying what is wrong. */
export function readArea(text: string): AreaGeometry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('That is no JSON. Paste a GeoJSON Polygon or MultiPolygon.');
  }
  const { type, geometry, features } = (value ?? {}) as Record<string, unknown>;
  const inner = type === 'FeatureCollection' ? (features as { geometry: unknown }[])[0]?.geometry : geometry;
  const found = (type === 'Feature' || type === 'FeatureCollection' ? inner : value) as AreaGeometry | null;
  if (found?.type !== 'Polygon' && found?.type !== 'MultiPolygon')
    throw new Error('Expected a GeoJSON Polygon or MultiPolygon.');
  return { type: found.type, coordinates: found.coordinates };
}

type Position = readonly [lng: number, lat: number];

/** Where two edges cross, as a plane has it; null where they do not. Degrees. */
function crossingOf([a, b]: readonly Position[], [c, d]: readonly Position[]): Position | null {
  if (!a || !b || !c || !d) return null;
  const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const across = rx * sy - ry * sx;
  if (across === 0) return null;
  const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / across;
  const u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / across;
  return t > 0 && t < 1 && u > 0 && u < 1 ? [a[0] + t * rx, a[1] + t * ry] : null;
}

/** Where an area that was drawn or pasted first crosses itself; null where it does not. Of rings of a thousand edges none is looked for. */
export function selfCrossing({ type, coordinates }: AreaGeometry): Place | null {
  const rings = (type === 'Polygon' ? coordinates : (coordinates as unknown[][]).flat()) as readonly Position[][];
  for (const ring of rings) {
    if (!Array.isArray(ring) || ring.length > 1000) continue;
    for (let i = 0; i < ring.length - 1; i++)
      for (let j = i + 2; j < ring.length - 1; j++) {
        const at = crossingOf(ring.slice(i, i + 2), ring.slice(j, j + 2));
        if (at) return { lng: at[0], lat: at[1] };
      }
  }
  return null;
}

/** Draws an area on the map, takes a pasted one, or one about a place. */
export function AreaInput({
  area,
  near,
  acres,
  picked,
  map,
  how,
  drawing,
  onArea,
  onNear,
  onPicking,
  onHow,
}: {
  readonly area: AreaGeometry | null;
  /** The reach that the area is of; null for one that was drawn or pasted. */
  readonly near: Near | null;
  /** Of the area within a reach; null while it is not had. */
  readonly acres: number | null;
  /** The place that was last picked on the map for a reach; null for none. */
  readonly picked: string | null;
  /** The view of the map, as addresses have it. */
  readonly map: string;
  readonly how: string;
  readonly drawing: AreaDrawing;
  readonly onArea: (area: AreaGeometry | null) => void;
  readonly onNear: (near: Near) => void;
  /** Receives whether clicks on the map pick the place of a reach. */
  readonly onPicking: (picking: boolean) => void;
  readonly onHow: (how: string) => void;
}) {
  const crossing = area && selfCrossing(area);
  const text = useRef<HTMLTextAreaElement>(null);
  const [pasting, setPasting] = useState(false);
  const [reaching, setReaching] = useState(false);
  const [filing, setFiling] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const reach = (on: boolean) => {
    setReaching(on);
    onPicking(on);
  };
  const paste = () => {
    try {
      onArea(readArea(text.current!.value));
      setPasting(false);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <fieldset class="area">
      <legend>Area</legend>
      {crossing && <p class="warn">The area crosses itself where the map has a mark. Clear it and draw it anew.</p>}
      {drawing.kind !== null ? (
        <DrawingForm drawing={drawing} />
      ) : area || near ? (
        <div class="row">
          <select
            aria-label="How parcels lie to the area"
            value={how}
            onChange={event => onHow(event.currentTarget.value)}
          >
            <option value="intersects">touching</option>
            <option value="within">wholly inside</option>
          </select>
          <span class="note grow">
            {near
              ? `${nearWords(near)}${acres === null ? '' : `: ${valueWords(acres, 'acres', 'acreage')}`}`
              : areaWords(area!)}
          </span>
          {area && !near && cornersOf(area) && countOf(area) <= MOST_MOVED && (
            <button type="button" class="link" onClick={() => drawing.begin('corners')}>
              Move its corners
            </button>
          )}
          {area && (
            <button type="button" class="link" onClick={() => change({ site: 'new' })}>
              Report of it
            </button>
          )}
          <button type="button" class="link" onClick={() => onArea(null)}>
            Clear
          </button>
        </div>
      ) : pasting ? (
        <>
          <label class="field">
            GeoJSON
            <textarea ref={text} rows={5} spellcheck={false} placeholder='{"type": "Polygon", "coordinates": […]}' />
          </label>
          {problem && (
            <p class="warn" role="alert">
              {problem}
            </p>
          )}
          <div class="row end">
            <button type="button" onClick={() => setPasting(false)}>
              Cancel
            </button>
            <button type="button" class="primary" onClick={paste}>
              Use this area
            </button>
          </div>
        </>
      ) : reaching ? (
        <NearForm
          picked={picked}
          map={map}
          onNear={next => {
            reach(false);
            onNear(next);
          }}
          onCancel={() => reach(false)}
        />
      ) : filing ? (
        <FileForm
          onArea={next => {
            setFiling(false);
            onArea(next);
          }}
          onNear={next => {
            setFiling(false);
            onNear(next);
          }}
          onCancel={() => setFiling(false)}
        />
      ) : (
        <div class="row">
          <button type="button" onClick={() => drawing.begin('area')}>
            Draw on the map
          </button>
          <button type="button" onClick={() => reach(true)}>
            Around a place
          </button>
          <button type="button" onClick={() => setPasting(true)}>
            Paste GeoJSON
          </button>
          <button type="button" onClick={() => setFiling(true)}>
            From a file
          </button>
        </div>
      )}
    </fieldset>
  );
}
