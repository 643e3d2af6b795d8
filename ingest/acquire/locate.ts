import { OF_VINTAGE, type PublishedFile, type VintageSearch } from '../../datasets/acquire.ts';
import type { Catalog } from '../../datasets/catalog.ts';
import { countyBox } from '../../datasets/codes/county-boxes.ts';
import { STATE_BOXES } from '../../datasets/codes/state-boxes.ts';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { stateName } from '../../datasets/codes/state-names.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { PublishedAt } from '../../datasets/place/place.ts';
import type { Protocol } from '../../datasets/protocol.ts';
import { boxAround } from '../../query/geometry/boxes-about.ts';

/** The address of a published file cannot be made for a place. */
export class LocateError extends Error {
  override readonly name = 'LocateError';
}

/** A published file of one area. Its addresses hold no placeholders except those of the vintage. */
export interface Located {
  readonly via: Protocol;
  readonly url: string;
  /** As PublishedFile.elsewhere. */
  readonly elsewhere?: string;
  readonly where: string;
  /** As Source.box. */
  readonly box?: Box | null;
  readonly resource: string | null;
  readonly vintage: VintageSearch | null;
}

/**
 * Finds how a file of a place is published: by an address of its own, or by the declaration of a dataset.
 * @returns a list of one declaration, so that callers can loop over it.
 * @throws LocateError when the dataset declares no file, or declares several and the place names no layer.
 */
export function declarationsOf(catalog: Catalog, at: PublishedAt): PublishedFile[] {
  if (at.url !== undefined) {
    const { url, via, where, ground, resource, vintage } = at;
    const told = { via, where, ground, resource, vintage } as Partial<PublishedFile>;
    return [
      { url, seen: 'unconfirmed', ...Object.fromEntries(Object.entries(told).filter(([, v]) => v !== undefined)) },
    ];
  }
  const dataset = catalog.datasets.get(at.dataset!)!;
  const found = (dataset.acquire.files ?? []).filter(
    file => !file.layers || at.layer === undefined || file.layers.includes(at.layer),
  );
  const named = at.layer === undefined ? dataset.id : `${dataset.id}:${at.layer}`;
  if (found.length === 0)
    throw new LocateError(
      `${named} is not downloaded: ${dataset.acquire.byHand ?? 'no file of that layer is declared'}; give a url`,
    );
  if (found.length > 1)
    throw new LocateError(
      `${named} is several files: name the layer, one of ${found.flatMap(file => file.layers ?? []).join(', ')}`,
    );
  return [at.where === undefined ? found[0]! : { ...found[0]!, where: at.where }];
}

/**
 * The ground of a county: its box, widened to all sides, in degrees; that of the state for a county newer than the boxes.
 * @throws LocateError for a state without a box.
 */
export function groundOf(county: string, state: string, km: number): Box {
  const box = countyBox(county) ?? STATE_BOXES[state];
  if (!box) throw new LocateError(`no box is known of county ${county} and state ${state}; give a where`);
  return boxAround(box, km * 1000);
}

/**
 * Fills state, county and the values of the place file into the addresses of a published file.
 * @throws LocateError naming the placeholder that nothing fills.
 */
export function locate(
  source: PublishedFile,
  at: Pick<PublishedAt, 'state' | 'county' | 'with'>,
  place: { readonly state: string; readonly county: string },
): Located {
  const state = at.state ?? place.state;
  const county = at.county ?? place.county;
  const name = stateName(state) ?? '';
  const box = source.ground === undefined ? null : groundOf(county, state, source.ground);
  const [west, south, east, north] = box?.map(String) ?? [];
  const values: Readonly<Record<string, string>> = {
    ST: state,
    st: state.toLowerCase(),
    fips: STATE_FIPS[state] ?? '',
    stateName: name.replaceAll(' ', '_'),
    stateSlug: name.replaceAll(' ', '-').toLowerCase(),
    county,
    countyCode: county.slice(2),
    countyNumber: String(Number(county.slice(2))),
    ...(west === undefined ? {} : { west, south: south!, east: east!, north: north! }),
    ...at.with,
  };
  const fill = (text: string, pattern = false) =>
    text.replaceAll(/\{([a-zA-Z]\w*(?:-1)?)\}/g, (whole, name: string) => {
      if (!pattern && OF_VINTAGE.test(name)) return whole;
      const value = Object.hasOwn(values, name) ? values[name]! : '';
      if (value === '' || /[^\w.-]/.test(value))
        throw new LocateError(
          `${source.url}: nothing fills {${name}}${value === '' ? '' : ` (it may hold letters, digits, dots and hyphens, not "${value}")`}; put it under \`with\``,
        );
      return value;
    });
  const { vintage } = source;
  return {
    via: source.via ?? 'http',
    url: fill(source.url),
    ...(source.elsewhere === undefined ? {} : { elsewhere: fill(source.elsewhere) }),
    where: fill(source.where ?? ''),
    box,
    resource: source.resource ?? null,
    vintage:
      vintage === undefined
        ? null
        : 'index' in vintage
          ? { ...vintage, index: fill(vintage.index), link: fill(vintage.link, true) }
          : {
              ...vintage,
              ...(vintage.probe === undefined ? {} : { probe: fill(vintage.probe) }),
              ...(vintage.archive === undefined ? {} : { archive: fill(vintage.archive) }),
            },
  };
}
