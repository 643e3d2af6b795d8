import { readdirSync } from 'node:fs';
import type { Place } from './place/place.ts';

/** Imports every place file of a folder; a new file is a place without touching anything else. */
async function load(folder: URL): Promise<ReadonlyMap<string, Place>> {
  const names = readdirSync(folder)
    .map(name => /^([a-z0-9-]+)\.(?:ts|js)$/.exec(name))
    .filter(match => match !== null)
    .sort((a, b) => (a[1]! < b[1]! ? -1 : 1));
  const modules = await Promise.all(
    names.map(async ([file, name]) => {
      const place = ((await import(new URL(file, folder).href)) as { default: Place }).default;
      if (place.name !== name) throw new Error(`datasets/places/${file} defines a place named "${place.name}"`);
      return place;
    }),
  );
  return new Map(modules.map(place => [place.name, place]));
}

/** The places of this build by name, as `--place NAME` takes them. */
export const places: ReadonlyMap<string, Place> = await load(new URL('./places/', import.meta.url));
