import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A file of one vector driver of GDAL, and what ogr2ogr makes of it. */
export interface DriverFile {
  readonly driver: string;
  readonly file: string;
  /** The command that made it from GeoJSON, or `by hand` where GDAL only reads the format. */
  readonly made: string;
  /** Its files, gzipped, in base 64. */
  readonly files: Readonly<Record<string, string>>;
  /** Layers with rows: properties and geometry of each, as `ogr2ogr -f GeoJSON -dim XY -nlt CONVERT_TO_LINEAR` of GDAL 3.6.2 writes them. */
  readonly layers: Readonly<Record<string, { readonly rows: readonly (readonly [Properties, GeoJson | null])[] }>>;
}

export type Properties = Readonly<Record<string, unknown>>;
export interface GeoJson {
  readonly type: string;
  readonly coordinates: unknown;
}

/** The files of the drivers. */
export const DRIVER_FILES = JSON.parse(
  readFileSync(new URL('./drivers.json', import.meta.url), 'utf8'),
) as readonly DriverFile[];

/** Writes the files of one entry into a folder of their own. @returns the path of the file to open. */
export function writeDriverFile(folder: string, { file, files }: DriverFile): string {
  const own = join(folder, file.replaceAll('.', '_'));
  mkdirSync(own, { recursive: true });
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(join(own, name), gunzipSync(Buffer.from(bytes, 'base64')));
  return join(own, file);
}
