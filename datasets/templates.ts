import { readdirSync } from 'node:fs';
import type { PublishedAt } from './place/place.ts';
import { type StateTemplate, stateTemplate } from './place/state-template.ts';

/** Imports every template of a folder; a new file is a template without touching anything else. */
async function load(folder: URL): Promise<readonly StateTemplate[]> {
  const files = readdirSync(folder)
    .filter(name => /^[a-z-]+\.(?:ts|js)$/.test(name))
    .sort();
  return Promise.all(
    files.map(async file =>
      stateTemplate((await import(new URL(file, folder).href)).default, `datasets/templates/${file}`),
    ),
  );
}

/** How states publish their parcels, by the two letters of the state. */
export const templates: ReadonlyMap<string, StateTemplate> = new Map(
  (await load(new URL('./templates/', import.meta.url))).map(template => [template.state, template]),
);

/** Returns the template of a state (two letters), if it publishes its parcels in a documented schema. @param county five digits, of a county that must be in them. */
export function templateOf(state: string, county?: string): StateTemplate | undefined {
  const template = templates.get(state);
  return county !== undefined && template?.without?.includes(county) ? undefined : template;
}

/** What the place of a county says to take its parcels from the template of its state. */
export interface CountyParcels {
  readonly extends: string;
  readonly layers: readonly [Readonly<Record<string, unknown>>];
  readonly files: Readonly<Record<string, PublishedAt>>;
  /** Whether the file also holds rows of the neighbors, because no column says the county: the caller cuts it to the county. */
  readonly cut: boolean;
}

/**
 * Returns the keys of a place file with which a county extends its state's template.
 * @param county five digits.
 */
export function countyParcels(template: StateTemplate, county: string): CountyParcels {
  const file = `${template.name}-${county}.geojson`;
  const where = template.rows?.(county);
  const published = template.published(county);
  return {
    extends: template.name,
    layers: [{ id: 'parcels', file, ...(where !== undefined && { where }), columns: { geoid: { const: county } } }],
    files: { [file]: { ...published, ...(where !== undefined && { where }) } },
    cut: where === undefined && published.ground !== undefined,
  };
}
