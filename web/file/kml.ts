import { kml } from '@tmcw/togeojson';
import type { Feature } from 'geojson';
import { FileProblem } from './ground.ts';

/** The features of a KML file. @throws FileProblem where it is none. */
export function featuresOfKml(text: string): readonly Feature[] {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'kml')
    throw new FileProblem('It is no KML: its markup is broken, or of another kind.');
  return kml(document).features as Feature[];
}
