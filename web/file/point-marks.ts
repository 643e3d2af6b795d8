import { useEffect } from 'preact/hooks';
import { type AreaGeometry, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { useTheme } from '../shell/theme.ts';
import { pointsOf } from './points.ts';

/** Marks the points that an area stands for on the map: their squares are too small to be seen. @param isOther whether the map shows something else. */
export function usePointMarks(area: AreaGeometry | null, isOther: boolean): void {
  const theme = useTheme();
  useEffect(() => {
    const points = area && !isOther ? (pointsOf(area) ?? []) : [];
    if (points.length === 0) return;
    const color = TONES[theme].kinds[1]!;
    const shapes = points.map(
      (coordinates, id): MapShape => ({ id, color, opacity: 1, geometry: { type: 'Point', coordinates } }),
    );
    showOnMap({ shapes });
    return () => showOnMap({ shapes: [] });
  }, [area, isOther, theme]);
}
