import { useEffect, useState } from 'preact/hooks';
import { watchMap } from '../map/picture.ts';
import { type AreaGeometry, boxAround, fitOnMap } from '../map/scene.ts';

/** What the map shows, taken anew each time it rests. @param what it is a picture of. */
export function MapPicture({ boundary, what }: { readonly boundary: AreaGeometry | null; readonly what: string }) {
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => watchMap(setPicture), []);
  useEffect(() => {
    const box = boundary && boxAround([boundary]);
    if (box) fitOnMap(box);
  }, [boundary]);
  return picture === null ? (
    <p class="note no-print">The map is on its way…</p>
  ) : (
    <img class="report-map" src={picture} alt={what} />
  );
}
