import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { memo } from '../../datasets/memo.ts';
import { areaKey } from '../evaluate/area-key.ts';
import type { Context } from '../evaluate/context.ts';
import { Interrupted } from '../release/fault.ts';
import type { EnrichFinding } from './enrich-finding.ts';

/** Metres from the point asked for within which the interior point of a parcel is the same place. */
export const SAME_PLACE_M = 25;

/** What the value of a field depends on beside the parcel. */
interface Dependence {
  /** Whether it is read at the point, not over the whole parcel. */
  readonly point: boolean;
  /** Keys of the areas that it is read for: the same value all over one of them. */
  readonly keys: ReadonlySet<string>;
}

const dependences = memo((_catalog: Catalog) => new Map<string, Dependence>());

function dependenceOf(catalog: Catalog, field: Field): Dependence {
  const cached = dependences(catalog).get(field.name);
  if (cached) return cached;
  let point = false;
  const keys = new Set<string>();
  walk(field.expression, ({ op, options }) => {
    if (op === 'area_key_attr') keys.add(String(options.key));
    else if (op !== 'derived' && op !== 'parcel_attr' && options.over !== 'parcel') point = true;
  });
  for (const name of inputFields(field.expression)) {
    const input = dependenceOf(catalog, catalog.fields.get(name)!);
    point ||= input.point;
    for (const key of input.keys) keys.add(key);
  }
  const dependence = { point, keys };
  dependences(catalog).set(field.name, dependence);
  return dependence;
}

/** The key of the area that holds a point; null where there is none, or none can be read. @throws Interrupted. */
async function keyAt(ctx: Context, name: string): Promise<string | null> {
  try {
    const area = await areaKey(ctx, name);
    return 'key' in area ? area.key : null;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return null;
  }
}

/** Whole metres, from a kilometer on kilometers to 10 m. */
const distanceText = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(2)} km`;

/** Says of values that were read at a parcel's interior point how far that is from the point asked for. */
export class ReadPlace {
  readonly #catalog: Catalog;
  readonly #note: string;
  /** Keys of areas of which another holds the point asked for. */
  readonly #otherAreas: ReadonlySet<string>;

  private constructor(catalog: Catalog, metres: number, otherAreas: ReadonlySet<string>) {
    this.#catalog = catalog;
    this.#note = `read at the parcel's interior point, ${distanceText(metres)} from the point asked for`;
    this.#otherAreas = otherAreas;
  }

  /**
   * @param metres between both points, more than SAME_PLACE_M.
   * @param names of the fields that are asked for; those that are none of the catalog are of the parcel as such.
   * @param asked and @param read the two points.
   */
  static async of(metres: number, names: readonly string[], asked: Context, read: Context): Promise<ReadPlace> {
    const { catalog } = read;
    const keys = new Set(
      names.flatMap(name => {
        const field = catalog.fields.get(name);
        return field ? [...dependenceOf(catalog, field).keys] : [];
      }),
    );
    const others = new Set<string>();
    for (const key of keys) if ((await keyAt(asked, key)) !== (await keyAt(read, key))) others.add(key);
    return new ReadPlace(catalog, metres, others);
  }

  /** A finding of a field with that note, where another may be found at the point asked for. */
  noted(name: string, finding: EnrichFinding): EnrichFinding {
    const field = this.#catalog.fields.get(name);
    if (!field || finding.status === 'failed') return finding;
    const { point, keys } = dependenceOf(this.#catalog, field);
    if (!point && ![...keys].some(key => this.#otherAreas.has(key))) return finding;
    const first = finding.status === 'absent' ? 1 : 0;
    const { notes } = finding;
    return { ...finding, notes: [...notes.slice(0, first), this.#note, ...notes.slice(first)] };
  }
}
