import { FlateErrorCode, unzipSync } from 'fflate';
import { groundOfFeatures, groundOfGeoJson } from './geojson.ts';
import { type FileGround, FileProblem, judged, together } from './ground.ts';
import { featuresOfKml } from './kml.ts';
import { shapesOf } from './shapefile.ts';
import { groundOfTable } from './table.ts';

/** Bytes of the files that are read: they never leave the browser, which has to hold them. */
const MOST_BYTES = 20_000_000;

/** Bytes of a member of an archive once it is unpacked: a file of a few kilobytes may grow to fill the memory. */
const MOST_UNPACKED = 100_000_000;

type Bytes = Uint8Array<ArrayBuffer>;

const textOf = (bytes: Bytes): string => new TextDecoder().decode(bytes);
const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase();

/** The members of a zip archive by their names. @throws FileProblem where it is damaged or packed in another way. */
function membersOf(bytes: Bytes): Map<string, Bytes> {
  try {
    const members = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        if (originalSize > MOST_UNPACKED) throw new FileProblem('What is packed in it is larger than 100 MB.');
        return true;
      },
    });
    return new Map(Object.entries(members as Record<string, Bytes>).filter(([name]) => !name.endsWith('/')));
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    if ((error as { readonly code?: number }).code === FlateErrorCode.UnknownCompressionMethod)
      throw new FileProblem('It is packed in a way that browsers do not unpack. Pack it as an ordinary zip.');
    throw new FileProblem('The archive is damaged, or was cut off.');
  }
}

/** What the files of a name hold together: members of an archive, or those that were chosen. */
async function groundOfMembers(members: ReadonlyMap<string, Bytes>): Promise<FileGround> {
  const grounds: FileGround[] = [];
  for (const [name, bytes] of members) {
    if (/(?:^|\/)(?:__MACOSX\/|\.)/.test(name)) continue;
    if (/\.zip$|\.kmz$/i.test(name)) grounds.push(await groundOfMembers(membersOf(bytes)));
    else if (/\.(?:geo)?json$/i.test(name)) grounds.push(groundOfGeoJson(textOf(bytes)));
    else if (/\.kml$/i.test(name)) grounds.push(groundOfFeatures(featuresOfKml(textOf(bytes))));
    else if (/\.(?:csv|tsv|txt)$/i.test(name)) grounds.push(groundOfTable(textOf(bytes)));
    else if (/\.shp$/i.test(name)) {
      const prj = [...members].find(([other]) => /\.prj$/i.test(other) && stemOf(other) === stemOf(name));
      const shapes = await shapesOf(bytes, prj ? textOf(prj[1]) : null);
      grounds.push(groundOfFeatures(shapes.map(geometry => ({ geometry }))));
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
