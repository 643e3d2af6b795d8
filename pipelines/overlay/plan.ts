import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import type { Box } from '../../datasets/geometry.ts';
import { PARCEL_OVERLAYS } from '../../datasets/parcel/parcel-overlays.ts';
import type { Manifest, Overlay, Partition, ReleaseFile } from '../../datasets/release.ts';
import { columnsOfTemplate } from '../../datasets/siting-columns.ts';
import { SITING_TEMPLATES, type SitingTemplate } from '../../datasets/siting-templates.ts';
import { exclusionsOf } from '../../query/buildable/template-exclusions.ts';
import { SETTINGS } from '../../query/engine/settings.ts';
import { ONLY } from '../../query/enrich/only.ts';
import { layersOfKey } from '../../query/evaluate/area-key.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { standInLayers } from '../../query/evaluate/parcel-stand-in.ts';
import { storedLayerOf } from '../../query/evaluate/raster/terrain.ts';
import { layersRead } from '../../query/evaluate/version.ts';
import { AREA_KEY_NAMES, areaOverlayOf, computable, isAreaField, keyNameOf } from '../../query/parcel/built-columns.ts';
import { withChanges } from '../../query/release/lists/sharded-manifest.ts';
import type { Release } from '../../query/release/open-release.ts';
import { withCalculations } from '../release/lists.ts';
import { isUnpublished } from './attributes.ts';
import { type Inputs, OverlayInputs } from './inputs.ts';

/** One overlay that a partition of parcels should have. */
export interface OverlayPlan {
  /** Name of the overlay: that of `overlayOf`, that of `areaOverlayOf`, or a template of siting, or a calculation of enrichment alone. */
  readonly dataset: string;
  readonly inputs: string;
  /** Fields to compute, or the area key. */
  readonly fields: readonly string[];
}

/** All overlays that one partition of parcels should have. */
export interface ParcelPlan {
  readonly parcels: Partition;
  readonly file: ReleaseFile;
  readonly overlays: readonly OverlayPlan[];
  /** Overlay → stored files that are read for it. */
  readonly reads: ReadonlyMap<string, ReadonlySet<ReleaseFile>>;
}

/** Everything that can be computed in a release, for any parcel. */
interface Computable {
  /** Overlay (see `overlayOf`) → fields whose values are stored, in catalog order. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
  /** Area key → `dataset:layer` of the tables that are looked up by it. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** Calculations of enrichment alone. Each is an overlay of its own, because their inputs differ. */
  readonly only: readonly EnrichOnlyName[];
  /** Templates of siting whose layers are all there; none where the operator does not want their columns. */
  readonly templates: readonly SitingTemplate[];
}

/**
 * Returns the overlay of a field: its dataset, and after `+` the other datasets that it reads. Fields of one overlay are computed
 * together, so that a refresh of a dataset computes exactly the fields that read it.
 */
function overlayOf(catalog: Catalog, { name, dataset }: Field): string {
  const read = [...layersRead(catalog, name), ...standInLayers(catalog, name)].map(id => id.split(':')[0]!);
  const others = read.filter(other => other !== dataset && other !== PARCELS.dataset);
  return [dataset, ...new Set(others)].join('+');
}

/** The overlay that holds what a template of siting leaves of each parcel. */
const sitingOverlayOf = ({ name }: SitingTemplate): string => `siting_${name}`;

/** Returns what can be computed in a release. @param catalog with the computed attributes of parcels, see `overlayCatalog`. */
export function computableIn(catalog: Catalog, release: Release): Computable {
  const installed = (dataset: string, layer: string) => release.layer(dataset, layer) !== null;
  const fields = new Map<string, Field[]>();
  const tables = new Map<string, Set<string>>();
  for (const field of computable(catalog, installed)) {
    if (isAreaField(field)) {
      const { dataset, layer } = field.expression.sources[0]!;
      if (field.dataset !== PARCELS.dataset) {
        const key = keyNameOf(field);
        tables.set(key, (tables.get(key) ?? new Set()).add(`${dataset}:${layer}`));
        continue;
      }
    }
    const overlay = overlayOf(catalog, field);
    fields.set(overlay, [...(fields.get(overlay) ?? []), field]);
  }
  const keyed = AREA_KEY_NAMES.filter(key => {
    const layers = layersOfKey(key);
    return layers.length > 0 && layers.every(({ dataset, layer }) => installed(dataset, layer));
  });
  const only = (Object.keys(ONLY) as EnrichOnlyName[]).filter(name =>
    ONLY[name].layers.every(id => {
      const [dataset, layer] = id.split(':') as [string, string];
      return installed(dataset, layer);
    }),
  );
  const keys = new Map(keyed.map(key => [key, [...(tables.get(key) ?? [])].sort()]));
  const wanted = SETTINGS.siting.parse(process.env.PLAT_SITING) === 'on';
  const templates = (wanted ? [...SITING_TEMPLATES.values()] : []).filter(template =>
    exclusionsOf(template).every(({ dataset, layer }) => installed(dataset, storedLayerOf(layer))),
  );
  return { fields, keys, only, templates };
}

/** Returns the overlays that every partition of parcels of a release should have. */
export function planOverlays(catalog: Catalog, release: Release): ParcelPlan[] {
  const coverages = new Map<string, Box | null>();
  const { fields, keys, only, templates } = computableIn(catalog, release);
  const plans: ParcelPlan[] = [];
  const seen = new Set<string>();
  for (const parcels of release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? []) {
    const file = parcels.files.find(f => f.role === 'features');
    if (!file || !parcels.rows || seen.has(file.sha256)) continue;
    seen.add(file.sha256);
    const inputs = new OverlayInputs(catalog, release, parcels, coverages);
    const { columns } = release.layer(PARCELS.dataset, PARCELS.layer)!;
    const overlays: OverlayPlan[] = [];
    const reads = new Map<string, ReadonlySet<ReleaseFile>>();
    const add = (dataset: string, { hash, files }: Inputs, names: readonly string[]) => {
      overlays.push({ dataset, inputs: hash, fields: names });
      reads.set(dataset, files);
    };
    for (const [dataset, all] of fields) {
      // An attribute that every source publishes is not computed.
      const list = all.filter(
        ({ name }) => !Object.hasOwn(PARCEL_OVERLAYS, name) || isUnpublished(parcels, columns, name),
      );
      if (list.length)
        add(
          dataset,
          inputs.of(list),
          list.map(field => field.name),
        );
    }
    for (const name of only) add(name, inputs.ofOnly(name), [name]);
    for (const template of templates)
      add(sitingOverlayOf(template), inputs.ofSiting(template), columnsOfTemplate(template));
    for (const [key, tables] of keys) add(areaOverlayOf(key), inputs.ofKey(key, tables), [key]);
    overlays.sort((a, b) => (a.dataset < b.dataset ? -1 : 1));
    plans.push({ parcels, file, overlays, reads });
  }
  return plans;
}

/** Returns the overlay that a manifest holds for a plan, if its inputs are the same; otherwise null. */
export function heldOf(manifest: Manifest | null, file: ReleaseFile, plan: OverlayPlan): Overlay | null {
  const held = manifest?.overlays?.[file.sha256]?.[plan.dataset];
  return held?.inputs === plan.inputs ? held : null;
}

/**
 * Returns a manifest with those overlays of an earlier one that are still right. It leaves out overlays that depend on changed
 * data, so that no server answers with a stale value.
 */
export function carryOverlays(catalog: Catalog, from: readonly Manifest[], release: Release): Manifest {
  const overlays: Record<string, Record<string, Overlay>> = {};
  const sources = from.filter(manifest => manifest.overlays);
  if (sources.length > 0)
    for (const { file, overlays: plans } of planOverlays(catalog, release))
      for (const plan of plans) {
        const held = sources.map(manifest => heldOf(manifest, file, plan)).find(Boolean);
        if (!held) continue;
        overlays[file.sha256] ??= {};
        overlays[file.sha256]![plan.dataset] = held;
      }
  return Object.keys(overlays).length
    ? withCalculations(release.manifest, overlays)
    : withChanges(release.manifest, { overlays: undefined, calculations: undefined });
}
