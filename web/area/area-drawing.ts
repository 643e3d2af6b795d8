import { useState } from 'preact/hooks';
import type { DrawingKind, Drawn } from '../map/drawn.ts';
import { showOnMap } from '../map/scene.ts';
import { change } from '../shell/address.ts';
import { useUnits } from '../values/units.ts';
import { REACHES } from './near.ts';

/** How far from a line is looked at first, in feet or in meters. */
const USUAL = { us: '500', metric: '150' } as const;

/** What somebody draws on the map to search in. */
export interface AreaDrawing {
  readonly kind: DrawingKind | 'corners' | null;
  /** How far from a line is searched, as it is typed. */
  readonly far: string;
  readonly setFar: (far: string) => void;
  /** Begins to draw, or ends it without a result. */
  readonly begin: (kind: AreaDrawing['kind']) => void;
  /** Receives what the map says was drawn. */
  readonly onDrawn: (drawn: Drawn | null) => void;
}

const numberIn = (text: string) => Number(text.replaceAll(',', ''));

/** Whether a text is a distance. */
export const isReach = (text: string): boolean => numberIn(text) > 0;

/** What the address says once something was drawn: an area as it is, lines and circles as what is within a distance of them. Pure. */
export function drawnState(drawn: Drawn, lineMetres: number): Readonly<Record<string, string>> {
  const near = (place: object, metres: number) => ({
    near: JSON.stringify({ ...place, within_m: Math.round(metres * 10) / 10 }),
    ...{ area: '', p: '' },
  });
  if (drawn.type === 'LineString')
    return near({ geometry: { type: 'MultiLineString', coordinates: [drawn.coordinates] } }, lineMetres);
  if (drawn.type === 'Circle') return near({ lat: drawn.center[1], lng: drawn.center[0] }, drawn.metres);
  return { area: JSON.stringify(drawn), near: '', p: '' };
}

/** Lets an area be drawn on the map, and its corners be moved. */
export function useAreaDrawing(): AreaDrawing {
  const units = useUnits();
  const [kind, setKind] = useState<AreaDrawing['kind']>(null);
  const [typed, setFar] = useState<string | null>(null);
  const far = typed ?? USUAL[units];
  const begin = (next: AreaDrawing['kind']) => {
    setKind(next);
    showOnMap({ drawing: next });
  };
  return {
    kind,
    far,
    setFar,
    begin,
    onDrawn: drawn => {
      // Of corners each move is told, until somebody says that they are where they shall be.
      if (kind !== 'corners' || drawn === null) setKind(null);
      const metres = numberIn(isReach(far) ? far : USUAL[units]) * REACHES[units === 'us' ? 'feet' : 'meters'];
      if (drawn) change(drawnState(drawn, metres));
    },
  };
}
