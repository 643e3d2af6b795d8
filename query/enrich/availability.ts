import { type Catalog, layerOf } from '../../datasets/catalog.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { columnsOf } from '../../datasets/grammar/condition.ts';
import { columnsRead, type Expression, type SourceRef } from '../../datasets/grammar/expression.ts';
import { layerLacking } from '../../datasets/lack-words.ts';
import { layerWords } from '../../datasets/layer-words.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { SITING_COLUMNS } from '../../datasets/siting-columns.ts';
import { exclusionsOf } from '../buildable/template-exclusions.ts';
import { layersOfKey } from '../evaluate/area-key.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { overlayExpression } from '../evaluate/parcel-stand-in.ts';
import { storedLayerOf } from '../evaluate/raster/terrain.ts';
import { lackingReason, unpublishedPart } from '../evaluate/unpublished.ts';
import { calculatedNames } from '../parcel/calculated-names.ts';
import { type InstalledSource, reaches } from '../release/installed.ts';
import type { Release } from '../release/open-release.ts';
import { ONLY } from './only.ts';

/** Columns of parcels that come from the match or from the key of their partition: every parcel has them. */
const ALWAYS: ReadonlySet<string> = new Set(['@area_m2', '@match_type', '@match_distance_m', 'state2', 'geoid']);

/** Why a name cannot be answered: the release holds nothing of a layer, or the copy that it holds lacks a column or rows. */
export interface Lack {
  readonly reason: string;
  readonly of: 'release' | 'copy';
}

const ofRelease = (reason: string): Lack => ({ reason, of: 'release' });
const ofCopy = (reason: string): Lack => ({ reason, of: 'copy' });

/**
 * What a release can answer: the one decision for the catalog, quotes, questions and whoever else tells it before asking.
 * A name can be answered where every layer that its calculation cannot do without is there, and a source of each publishes
 * what is read of it. Where it holds, evaluation says the same; whether a place has a value is another matter.
 */
export class Availability {
  readonly #catalog: Catalog;
  readonly #release: Release | null;
  readonly #county: string | null;
  readonly #sources: ReadonlyMap<string, readonly InstalledSource[]>;
  readonly #lacks = new Map<string, Lack | null>();
  #calculated: ReadonlySet<string> | null = null;

  /** @param sources of the release. @param county five digits: what can be answered there; null: anywhere. */
  constructor(
    catalog: Catalog,
    release: Release | null,
    sources: readonly InstalledSource[],
    county: string | null = null,
  ) {
    this.#catalog = catalog;
    this.#release = release;
    this.#county = county;
    this.#sources = Map.groupBy(
      county === null ? sources : sources.filter(source => reaches(source, county)),
      ({ dataset, layer }) => `${dataset}:${layer}`,
    );
  }

  /** Why a name of fetch, enrichment or search cannot be answered at all; null where it can. */
  lackOf(name: string): string | null {
    return this.lack(name)?.reason ?? null;
  }

  /** As lackOf, with whether it is the release that lacks something or a copy in it. */
  lack(name: string): Lack | null {
    let lack = this.#lacks.get(name);
    if (lack === undefined) {
      lack = this.#find(name);
      this.#lacks.set(name, lack);
    }
    return lack;
  }

  /** The sources that the records of a name may cite: of its own layers and those of its inputs. */
  sourcesOf(name: string): readonly InstalledSource[] {
    const field = this.#catalog.fields.get(name);
    const layers = field ? this.#cited(field.expression) : this.#citedOf(name);
    return [...new Set(layers.flatMap(source => this.#of(source)))];
  }

  #find(name: string): Lack | null {
    if (!this.#release) return ofRelease('no release is installed; nothing was published yet');
    const field = this.#catalog.fields.get(name);
    if (field) return this.#ofCall(field.expression);
    if (Object.hasOwn(ENRICH_ONLY, name)) {
      const { layers, attributes } = ONLY[name as keyof typeof ENRICH_ONLY];
      return (
        first(layers, id => this.#ofLayer(refOf(id))) ??
        first([...attributes], attribute => this.lack(attribute)) ??
        this.#ofLayer(PARCELS)
      );
    }
    const siting = SITING_COLUMNS.get(name);
    if (siting)
      return first(exclusionsOf(siting.template), excluded => this.#ofLayer(excluded)) ?? this.#ofLayer(PARCELS);
    if (!Object.hasOwn(PARCEL_ATTRIBUTES, name)) return this.#ofLayer(PARCELS);
    this.#calculated ??= calculatedNames(this.#release, this.#catalog);
    return this.#calculated.has(name) ? null : this.#ofColumn(name);
  }

  #of({ dataset, layer }: Pick<SourceRef, 'dataset' | 'layer'>): readonly InstalledSource[] {
    return this.#sources.get(`${dataset}:${storedLayerOf(layer)}`) ?? [];
  }

  #ofLayer(source: Pick<SourceRef, 'dataset' | 'layer'>): Lack | null {
    if (this.#of(source).length) return null;
    const layer = storedLayerOf(source.layer);
    const why = layerLacking(source.dataset, layer);
    // Other counties of the release may have it.
    return ofRelease(
      this.#county !== null && this.#release?.layer(source.dataset, layer) ? `${why} for the county` : why,
    );
  }

  /** What a call cannot do without. The polygons that `coverage=` names are not among it: where they are missing the layer's own coverage decides. */
  #ofCall(call: Expression): Lack | null {
    const { key, over } = call.options;
    const own = call.op === 'parcel_attr' ? this.#ofParcelAttribute(call.argument!) : null;
    return (
      own ??
      first(call.sources, source => this.#ofSource(source, call)) ??
      first(layersOfKey(String(key)), polygons => this.#ofColumns(polygons, [polygons.column], null)) ??
      (over === 'parcel' ? this.#ofLayer(PARCELS) : null) ??
      first(Object.values(call.inputs), input => ('field' in input ? this.lack(input.field) : this.#ofCall(input)))
    );
  }

  #ofSource(source: SourceRef, call: Expression): Lack | null {
    if (layerOf(this.#catalog.datasets, source.dataset, source.layer).kind === 'raster') return this.#ofLayer(source);
    const where = source.where ?? call.where;
    return this.#ofColumns(source, [...columnsRead(call), ...columnsOf(source.where)], where);
  }

  #ofColumns(
    source: Pick<SourceRef, 'dataset' | 'layer'>,
    columns: readonly string[],
    where: Expression['where'],
  ): Lack | null {
    const sources = this.#of(source);
    const lacks = sources.map(part => unpublishedPart(part, columns, where));
    if (!sources.length || lacks.includes(null)) return this.#ofLayer(source);
    // What one of several copies says of itself is no reason for the places of the others.
    return sources.every(one => one.source === sources[0]!.source)
      ? ofCopy(lackingReason({ provenance: sources[0]! }, lacks[0]!))
      : ofCopy(`no copy of ${layerWords(source)} in this release has it (${lacks[0]})`);
  }

  /** A column of parcels, or what stands in for it where no source publishes it. */
  #ofParcelAttribute(column: string): Lack | null {
    const lack = this.#ofColumn(column);
    const standIn = lack !== null && this.#of(PARCELS).length ? overlayExpression(column) : null;
    return standIn && this.#ofCall(standIn) === null ? null : lack;
  }

  #ofColumn(column: string): Lack | null {
    const lack = this.#ofLayer(PARCELS);
    if (lack !== null || ALWAYS.has(column)) return lack;
    const stored = this.#release!.layer(PARCELS.dataset, PARCELS.layer)!.columns;
    const silent = this.#ofColumns(PARCELS, [column], null);
    return silent ?? (stored.includes(column) ? null : ofCopy(`this release holds no ${column} of parcels`));
  }

  /** What a column of parcels is cited from: where no source publishes it, what it is computed from. */
  #citedOf(column: string): readonly Pick<SourceRef, 'dataset' | 'layer'>[] {
    return (this.#ofColumn(column) === null ? null : overlayExpression(column)?.sources) ?? [PARCELS];
  }

  #cited(call: Expression): readonly Pick<SourceRef, 'dataset' | 'layer'>[] {
    const own = call.op === 'parcel_attr' ? this.#citedOf(call.argument!) : call.sources;
    const inputs = Object.values(call.inputs).flatMap(input =>
      this.#cited('field' in input ? this.#catalog.fields.get(input.field)!.expression : input),
    );
    return [...own, ...inputs];
  }
}

function refOf(id: string): Pick<SourceRef, 'dataset' | 'layer'> {
  const [dataset, layer] = id.split(':') as [string, string];
  return { dataset, layer };
}

/** The first lack of some things that are all needed. */
function first<T>(all: readonly T[], lackOf: (one: T) => Lack | null): Lack | null {
  for (const one of all) {
    const lack = lackOf(one);
    if (lack !== null) return lack;
  }
  return null;
}
