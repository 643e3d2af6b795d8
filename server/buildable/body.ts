import type { Catalog } from '../../datasets/catalog.ts';
import type { Column } from '../../datasets/dataset.ts';
import { type Condition, columnsOf, parseCondition } from '../../datasets/grammar/condition.ts';
import { nameOf } from '../../datasets/layer-words.ts';
import { SITING_TEMPLATES, type SitingTemplate } from '../../datasets/siting-templates.ts';
import type { BuildableRequest, Exclusion } from '../../query/buildable/request.ts';
import { exclusionOf, partsOfName, slopesAbove } from '../../query/buildable/template-exclusions.ts';
import { CELL_KINDS } from '../../query/evaluate/raster/terrain.ts';
import { namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import type { JsonObject } from '../search/body-reader.ts';
import { type GroundQuestion, readGround } from '../sets/ground-question.ts';
import type { SetReader } from '../sets/set-reader.ts';
import { FOOT_M, MOST_EXCLUSIONS, MOST_SETBACK_M, MOST_WHERE, MOST_WILDCARDS } from './limits.ts';

/** A judged body. */
export type BuildableQuestion = Pick<
  BuildableRequest,
  'exclusions' | 'boundarySetback' | 'minWidth' | 'minPiece' | 'shapes'
> & { readonly ground: GroundQuestion; readonly release: string | null };

const PLACES = ['parcel_id', 'site_id', 'geometry', 'lat', 'address'] as const;
const NUMBERS = ['boundary_setback_m', 'max_slope_percent', 'min_width_m', 'min_piece_acres'] as const;
const EXCLUSION_KEYS = ['layer', 'where', 'setback_m', 'setback_ft'];
const KEYS = [...PLACES, 'lng', 'template', 'exclusions', ...NUMBERS, 'exclusion_geometry', 'release'];
/** Whose elevation slopes are of. */
const TERRAIN = 'usgs_3dep';
/** Whose rows are no ground to keep clear of, but the ground that is asked about. */
const PARCELS = 'parcel_store';
/** The one column of a raster. */
const VALUE: Readonly<Record<string, Column>> = { value: { type: 'number' } };

/** The columns of a layer that may be excluded; null where there is none. */
function columnsOfLayer(catalog: Catalog, dataset: string, layer: string): Readonly<Record<string, Column>> | null {
  const definition = catalog.datasets.get(dataset)?.layers[layer];
  if (definition?.kind === 'raster') return VALUE;
  return definition?.kind === 'vector' && dataset !== PARCELS ? definition.columns : null;
}

/** All layers that may be excluded, as programs name them. */
function layerNames(catalog: Catalog): string[] {
  const names: string[] = [];
  for (const [dataset, { layers }] of catalog.datasets)
    for (const layer of Object.keys(layers))
      if (columnsOfLayer(catalog, dataset, layer)) names.push(nameOf({ dataset, layer }));
  return names;
}

/** The layers that a wrong name may mean: by their titles, as people call them, or by their names. */
function nearestLayers(catalog: Catalog, wrong: string): string[] {
  const names = layerNames(catalog);
  const titled = names.map(name => {
    const [dataset, layer] = partsOfName(name);
    return [catalog.datasets.get(dataset)?.layers[layer]?.title ?? name, name] as const;
  });
  const byTitle = new Map([...titled].reverse());
  return [...new Set(nearestNames(wrong, [...byTitle.keys(), ...names]).map(one => byTitle.get(one) ?? one))];
}

/** Reads the body of a question for buildable ground. Issues never quote a value of it. */
export class BuildableBody {
  readonly #reader: SetReader;
  readonly #catalog: Catalog;
  readonly #maxVertices: number;
  readonly #own: SitingTemplate | null;

  /** @param own template of the account that the body names. */
  constructor(reader: SetReader, catalog: Catalog, maxVertices: number, own: SitingTemplate | null = null) {
    this.#reader = reader;
    this.#catalog = catalog;
    this.#maxVertices = maxVertices;
    this.#own = own;
  }

  /** @returns null, and issues, where something is wrong. */
  read(given: unknown): BuildableQuestion | null {
    const { issues } = this.#reader;
    const body = this.#reader.read(given, KEYS);
    if (!body) return null;
    const ground = readGround(this.#reader, body, PLACES, this.#maxVertices);
    const template = this.#template(body);
    const own = Object.hasOwn(body, 'exclusions') ? this.#exclusions(body) : [];
    const { boundarySetback, minWidth, minPiece, slope } = this.#numbers(body, template);
    const shapes = this.#reader.readFlag(body, 'exclusion_geometry');
    const release = this.#reader.readRelease(body);
    if (issues.all.length > 0 || !ground || slope === null) return null;
    const inherited = (template?.exclusions ?? []).filter(({ layer }) => own.every(({ name }) => name !== layer));
    const exclusions = [...inherited.map(exclusionOf), ...own, ...(Number.isFinite(slope) ? [slopesAbove(slope)] : [])];
    return {
      ground,
      exclusions,
      boundarySetback: boundarySetback!,
      minWidth: minWidth!,
      minPiece: minPiece! * ACRE_M2,
      shapes,
      release,
    };
  }

  /** Reads a template that a body makes. @returns null, and issues, where something is wrong. */
  readTemplate(name: string, body: JsonObject): SitingTemplate | null {
    const read = Object.hasOwn(body, 'exclusions') ? this.#exclusions(body) : [];
    const { boundarySetback, minWidth, minPiece, slope } = this.#numbers(body, null);
    if (this.#reader.issues.all.length > 0) return null;
    const given = (body.exclusions ?? []) as readonly { readonly layer: string; readonly where?: string }[];
    return {
      name,
      title: typeof body.title === 'string' ? body.title : name,
      exclusions: given.map(({ layer, where }, i) => ({
        layer,
        ...(where === undefined ? {} : { where }),
        setbackM: read[i]!.setback,
      })),
      boundarySetbackM: boundarySetback!,
      maxSlopePercent: Number.isFinite(slope) ? slope : null,
      minWidthM: minWidth!,
      minPieceAcres: minPiece!,
    };
  }

  /** The numbers of a body, or of its template; null, and an issue, of those that are wrong. */
  #numbers(body: JsonObject, template: SitingTemplate | null) {
    const number = (key: (typeof NUMBERS)[number], most: number, usual = 0) =>
      Object.hasOwn(body, key)
        ? this.#reader.readNumber(body[key], key, value => value >= 0 && value <= most, `0 to ${most}`)
        : usual;
    return {
      boundarySetback: number('boundary_setback_m', MOST_SETBACK_M, template?.boundarySetbackM),
      minWidth: number('min_width_m', MOST_SETBACK_M, template?.minWidthM),
      minPiece: number('min_piece_acres', 5_000, template?.minPieceAcres),
      slope: number('max_slope_percent', 1_000, template?.maxSlopePercent ?? Number.POSITIVE_INFINITY),
    };
  }

  #refuse(path: string, description: string, hint: string): null {
    this.#reader.issues.say(path, description, hint);
    return null;
  }

  #template(body: JsonObject): SitingTemplate | null {
    if (!Object.hasOwn(body, 'template')) return null;
    const template = SITING_TEMPLATES.get(String(body.template)) ?? this.#own;
    if (template) return template;
    return this.#refuse(
      'template',
      'There is no such template.',
      `Send ${[...SITING_TEMPLATES.keys()].join(', ')}, or one of your own.`,
    );
  }

  #exclusions(body: JsonObject): Exclusion[] {
    if (Array.isArray(body.exclusions) && body.exclusions.length === 0) return [];
    const list = this.#reader.readObjects(body, 'exclusions', MOST_EXCLUSIONS, EXCLUSION_KEYS);
    return list.flatMap((each, i) => (each && this.#exclusion(each, `exclusions[${i}]`)) ?? []);
  }

  #exclusion(each: JsonObject, path: string): Exclusion | null {
    const { layer: name } = each;
    const [dataset, layer] = partsOfName(String(name));
    const isSlope = dataset === TERRAIN && CELL_KINDS.some(kind => kind === layer);
    const columns = isSlope ? VALUE : columnsOfLayer(this.#catalog, dataset, layer);
    if (typeof name !== 'string' || !columns) {
      const nearest = typeof name === 'string' ? nearestLayers(this.#catalog, name) : [];
      const advice = nearest.length > 0 ? `Nearest: ${namesText(nearest)}. ` : '';
      return this.#refuse(`${path}.layer`, 'There is no such layer.', `${advice}GET /v1/meta/coverage lists them.`);
    }
    const setback = this.#setback(each, path);
    const where = this.#where(each, `${path}.where`, columns);
    return setback === null || where === undefined ? null : { name, dataset, layer, where, setback };
  }

  #setback(each: JsonObject, path: string): number | null {
    const [metres, feet] = [Object.hasOwn(each, 'setback_m'), Object.hasOwn(each, 'setback_ft')];
    if (metres && feet) return this.#refuse(path, 'It has two setbacks.', 'Send `setback_m` or `setback_ft`.');
    const key = feet ? 'setback_ft' : 'setback_m';
    const unit = feet ? FOOT_M : 1;
    const most = Math.floor(MOST_SETBACK_M / unit);
    const value = metres || feet ? each[key] : 0;
    const read = this.#reader.readNumber(value, `${path}.${key}`, one => one >= 0 && one <= most, `0 to ${most}`);
    return read === null ? null : read * unit;
  }

  /** @returns undefined, and an issue, where it is none. */
  #where(each: JsonObject, path: string, columns: Readonly<Record<string, Column>>): Condition | null | undefined {
    if (!Object.hasOwn(each, 'where')) return null;
    const { where } = each;
    const hint = `Send a condition on its columns, such as "${Object.keys(columns)[0]} is not null"; at most ${MOST_WHERE} characters and ${MOST_WILDCARDS} wildcards.`;
    const refused = (description: string) => void this.#refuse(path, description, hint);
    if (typeof where !== 'string' || where.length > MOST_WHERE || where.split('%').length - 1 > MOST_WILDCARDS)
      return refused('Expected a condition.');
    try {
      const condition = parseCondition(where);
      if (columnsOf(condition).every(column => Object.hasOwn(columns, column))) return condition;
      return refused(`The layer has other columns: ${Object.keys(columns).slice(0, 30).join(', ')}.`);
    } catch {
      return refused('The condition cannot be read.');
    }
  }
}
