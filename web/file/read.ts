import { groundOfGeoJson } from './geojson.ts';
import { type FileGround, FileProblem, judged, together } from './ground.ts';
import { groundOfKml } from './kml.ts';
import { groundOfShapefile, projectionOf } from './shapefile.ts';
import { groundOfTable } from './table.ts';
import { membersOf } from './zip-archive.ts';

/** Bytes of the files that are read: they never leave the browser, which has to hold them. */
const MOST_BYTES = 20_000_000;

type Bytes = Uint8Array<ArrayBuffer>;

const textOf = (bytes: Bytes): string => new TextDecoder().decode(bytes);
const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase();

/** What the files of a name hold together: members of an archive, or those that were chosen. */
async function groundOfMembers(members: ReadonlyMap<string, Bytes>): Promise<FileGround> {
  const grounds: FileGround[] = [];
  for (const [name, bytes] of members) {
    if (/(?:^|\/)(?:__MACOSX\/|\.)/.test(name)) continue;
    if (/\.zip$|\.kmz$/i.test(name)) grounds.push(await groundOfMembers(await membersOf(bytes)));
    else if (/\.(?:geo)?json$/i.test(name)) grounds.push(groundOfGeoJson(textOf(bytes)));
    else if (/\.kml$/i.test(name)) grounds.push(groundOfKml(textOf(bytes)));
    else if (/\.(?:csv|tsv|txt)$/i.test(name)) grounds.push(groundOfTable(textOf(bytes)));
    else if (/\.shp$/i.test(name)) {
      const prj = [...members].find(([other]) => /\.prj$/i.test(other) && stemOf(other) === stemOf(name));
      grounds.push(groundOfShapefile(bytes, await projectionOf(prj ? textOf(prj[1]) : null)));
    }
  }
  if (grounds.length === 0)
    throw new FileProblem(
      'Expected GeoJSON, KML or KMZ, a CSV file, or a shapefile with its .shp, as a zip or all its files.',
    );
  return together(grounds);
}

/** Reads files that somebody chose, in the browser alone. @throws FileProblem saying what is wrong with them. */
export async function readFiles(files: readonly File[]): Promise<FileGround> {
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
    throw new FileProblem('Files of more than 20 MB are not read here. Cut out the part that is needed.');
  const members = new Map<string, Bytes>();
  for (const file of files) members.set(file.name, new Uint8Array(await file.arrayBuffer()));
  const ground = judged(await groundOfMembers(members));
  if (ground.areas.length + ground.points.length + ground.lines.length === 0)
    throw new FileProblem('It holds no areas, lines or points.');
  return ground;
}
