import { dirname, resolve } from 'node:path';
import { places } from '../../datasets/places.ts';
import { templates } from '../../datasets/templates.ts';
import { builtInSource, type Path, PlaceError, type PlaceSource, readFile } from './source.ts';

type Fields = Record<string, unknown>;

/** Keys that a place inherits if it does not have them; never name, title or county. */
const INHERITED = ['state', 'coverage', 'synthetic', 'provenance', 'files', 'layers'] as const;
/** Keys of a layer that are merged key by key; every other key is replaced. */
const MERGED = ['columns', 'options', 'provenance'] as const;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the name by which an heir changes a layer: its `id`, else `dataset:layer`. */
const idOf = (layer: unknown): unknown =>
  isFields(layer) ? (layer.id ?? `${layer.dataset}:${layer.layer}`) : undefined;

/** A place made of several files. Every value still knows its file and line. */
class Inherited implements PlaceSource {
  value: Fields = {};
  readonly #origins = new Map<string, { readonly source: PlaceSource; readonly path: Path }>();

  came(path: Path, source: PlaceSource, from: Path): void {
    this.#origins.set(JSON.stringify(path), { source, path: from });
  }

  line(path: Path, onKey: boolean, message: string): string {
    for (let depth = path.length; depth > 0; depth--) {
      const origin = this.#origins.get(JSON.stringify(path.slice(0, depth)));
      if (origin) return origin.source.line([...origin.path, ...path.slice(depth)], onKey, message);
    }
    return this.#origins.get('[]')!.source.line(path, onKey, message);
  }
}

/** Returns the layer of a parent with the changes of its heir. Null removes a key or a column. */
function mergedLayer(
  into: Inherited,
  at: Path,
  parent: PlaceSource,
  inherited: Path,
  child: PlaceSource,
  own: Path,
  was: Fields,
  says: Fields,
) {
  into.came(at, child, own);
  const layer: Fields = {};
  for (const key of Object.keys(was)) {
    // The count belongs to the file that is replaced.
    if (Object.hasOwn(says, key) || (key === 'expectRows' && Object.hasOwn(says, 'file'))) continue;
    layer[key] = was[key];
    into.came([...at, key], parent, [...inherited, key]);
  }
  for (const [key, value] of Object.entries(says)) {
    if (value === null && Object.hasOwn(was, key)) continue;
    const before = was[key];
    if (!(MERGED as readonly string[]).includes(key) || !isFields(value) || !isFields(before)) {
      layer[key] = value;
      continue;
    }
    const entries: Fields = {};
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(value, name)) continue;
      entries[name] = before[name];
      into.came([...at, key, name], parent, [...inherited, key, name]);
    }
    // In a provenance null is a value: it means no url or no note.
    for (const [name, entry] of Object.entries(value))
      if (entry !== null || key === 'provenance' || !Object.hasOwn(before, name)) entries[name] = entry;
    layer[key] = entries;
  }
  return layer;
}

/** Returns the layers of the parent, changed by layers of the heir with the same id, then the other layers of the heir. */
function mergedLayers(
  into: Inherited,
  parent: PlaceSource,
  was: readonly unknown[],
  child: PlaceSource,
  says: readonly unknown[],
): unknown[] {
  const problems: string[] = [];
  const ids = was.map(idOf);
  const changes = new Map<number, number>();
  const added: number[] = [];
  for (const [i, layer] of says.entries()) {
    const found = ids.flatMap((id, k) => (id === idOf(layer) ? [k] : []));
    const problem = (message: string) =>
      problems.push(child.line(['layers', i, ...(isFields(layer) && 'id' in layer ? ['id'] : [])], false, message));
    if (found.length > 1)
      problem(`${found.length} inherited layers are "${ids[found[0]!]}"; give them an id in their own file`);
    else if (found.length === 1 && changes.has(found[0]!))
      problem(`"${ids[found[0]!]}" is changed twice; a further layer of this kind needs an id of its own`);
    else if (found.length === 1) changes.set(found[0]!, i);
    else if (isFields(layer) && (layer.omit === true || (layer.id !== undefined && layer.dataset === undefined)))
      problem(`no inherited layer is "${idOf(layer)}"; there are ${ids.join(', ')}`);
    else added.push(i);
  }
  if (problems.length > 0) throw new PlaceError(problems);
  const layers: unknown[] = [];
  for (const [k, layer] of was.entries()) {
    const i = changes.get(k);
    const change = i === undefined ? undefined : (says[i] as Fields);
    if (change?.omit === true) continue;
    const at = ['layers', layers.length];
    if (change === undefined || !isFields(layer)) {
      into.came(at, parent, ['layers', k]);
      layers.push(layer);
    } else layers.push(mergedLayer(into, at, parent, ['layers', k], child, ['layers', i!], layer, change));
  }
  for (const i of added) {
    into.came(['layers', layers.length], child, ['layers', i]);
    layers.push(says[i]);
  }
  return layers;
}

/** Returns a place that takes the keys it lacks from another. */
function merged(parent: PlaceSource, was: Fields, child: PlaceSource, says: Fields): PlaceSource {
  const into = new Inherited();
  into.came([], child, []);
  const { extends: _, ...own } = says;
  const value: Fields = { ...own };
  for (const key of INHERITED) {
    const before = was[key];
    if (before === undefined) continue;
    const now = says[key];
    if (now === undefined) {
      value[key] = before;
      into.came([key], parent, [key]);
    } else if ((key === 'provenance' || key === 'files') && isFields(before) && isFields(now)) {
      value[key] = { ...before, ...now };
      for (const name of Object.keys(before))
        if (!Object.hasOwn(now, name)) into.came([key, name], parent, [key, name]);
    } else if (key === 'layers' && Array.isArray(before) && Array.isArray(now))
      value[key] = mergedLayers(into, parent, before, child, now);
  }
  into.value = value;
  return into;
}

/** Returns a place or a state's template of this build, and where it stands. */
function builtInNamed(name: string): { readonly file: string; readonly place: object } | undefined {
  const place = places.get(name);
  if (place) return { file: `datasets/places/${name}.ts`, place };
  return [...templates.values()].find(template => template.name === name);
}

/**
 * Returns a place with everything that it inherits. `extends` names a place or a state's template of this build, or a file relative
 * to the place's file.
 * @param file path of the place's file. @param line of those that extend it, nearest last.
 * @throws PlaceError when a parent is unknown or cannot be read, when places extend each other in a circle, or when a layer of
 * the heir matches no layer or several layers of the parent.
 */
export function inherited(source: PlaceSource, file: string, heirs: readonly string[] = []): PlaceSource {
  const { value } = source;
  if (!isFields(value) || typeof value.extends !== 'string' || value.extends === '') return source;
  const name = value.extends;
  const isFile = /\.(ya?ml|json)$/i.test(name);
  const builtIn = isFile ? undefined : builtInNamed(name);
  const wrong = (message: string) => new PlaceError([source.line(['extends'], false, message)]);
  if (!isFile && !builtIn) {
    const names = [...places.keys(), ...[...templates.values()].map(template => template.name)];
    throw wrong(`no place "${name}" to extend; known: ${names.join(', ')}, or a file (.yaml, .yml, .json)`);
  }
  if (builtIn)
    return merged(builtInSource(builtIn.file, builtIn.place), builtIn.place as unknown as Fields, source, value);
  const path = resolve(dirname(file), name);
  const line = [...heirs, resolve(file)];
  if (line.includes(path)) throw wrong(`"${name}" extends this place in turn; one of them must stand on its own`);
  let parent: PlaceSource;
  try {
    parent = readFile(path);
  } catch (error) {
    if (error instanceof PlaceError && error.lines[0]!.startsWith(`${path}: `))
      throw wrong(`cannot be read: ${error.message}`);
    throw error;
  }
  const whole = inherited(parent, path, line);
  if (!isFields(whole.value)) throw new PlaceError([whole.line([], false, 'expected a place file: a map of keys')]);
  return merged(whole, whole.value, source, value);
}
