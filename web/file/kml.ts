import { type FileGround, FileProblem, NO_GROUND, type Position, together } from './ground.ts';

/** Elements of a local name, whatever their namespace. */
const all = (of: Element | Document, name: string): Element[] => [...of.getElementsByTagNameNS('*', name)];

/** The positions of an element's coordinates: "lng,lat,height lng,lat,height". */
function positionsIn(element: Element): Position[] {
  const text = all(element, 'coordinates')[0]?.textContent?.trim() ?? '';
  return text
    .split(/\s+/)
    .filter(tuple => tuple !== '')
    .map(tuple => {
      const [lng, lat] = tuple.split(',').map(Number);
      if (!Number.isFinite(lng) || !Number.isFinite(lat))
        throw new FileProblem('It has coordinates that are no numbers.');
      return [lng!, lat!];
    });
}

/** What a KML file holds. @throws FileProblem where it is none. */
export function groundOfKml(text: string): FileGround {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'kml')
    throw new FileProblem('It is no KML: its markup is broken, or of another kind.');
  return together(
    all(document, 'Placemark').map((mark, i): FileGround => {
      const name = all(mark, 'name')[0]?.textContent?.trim() || `Area ${i + 1}`;
      const areas = all(mark, 'Polygon').map(polygon => ({
        name,
        rings: [...all(polygon, 'outerBoundaryIs'), ...all(polygon, 'innerBoundaryIs')].map(positionsIn),
      }));
      const points = all(mark, 'Point').flatMap(positionsIn);
      const lines = all(mark, 'LineString').map(positionsIn);
      const isNowhere = areas.length + points.length + lines.length === 0;
      return isNowhere ? { ...NO_GROUND, without: 1 } : { areas, points, lines, without: 0 };
    }),
  );
}
