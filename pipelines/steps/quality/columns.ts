import { join } from 'node:path';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import { joinsOf, type Place, type PlaceLayer } from '../../../datasets/place/place.ts';
import { openSource } from '../../../ingest/format.ts';
import { missingColumns } from '../../../ingest/reader.ts';
import { columnsOfJoin } from '../join.ts';
import { columnsNeeded } from '../layer-columns.ts';
import { respelled } from '../spelling.ts';

/** A file that cannot be read, or lacks columns that the mapping names. */
export interface FileProblem {
  readonly file: string;
  /** `dataset:layer`. */
  readonly layer: string;
  readonly message: string;
}

type ReadFile = Pick<PlaceLayer, 'file' | 'format' | 'options'>;

/**
 * Reads the columns of a file from its header. If it has none (GeoJSON), it reads rows until all wanted columns were seen.
 * @returns null if the file has neither.
 */
async function columnsIn(
  { file, format, options }: ReadFile,
  sources: string,
  wanted: (present: ReadonlySet<string>) => readonly string[],
): Promise<ReadonlySet<string> | null> {
  const source = await openSource(join(sources, file), { format, options: options ?? {} });
  try {
    const columns = new Set(source.columns);
    if (columns.size > 0) return columns;
    for await (const batch of source.rows()) {
      for (const { properties } of batch) for (const name of Object.keys(properties)) columns.add(name);
      if (columns.size > 0 && wanted(columns).every(name => columns.has(name))) break;
    }
    return columns.size > 0 ? columns : null;
  } finally {
    await source.close();
  }
}

/** Returns the columns that the mapping reads from each file of a layer, given the columns of the file. */
function reads(layer: PlaceLayer): (ReadFile & { wanted: (present: ReadonlySet<string>) => string[] })[] {
  const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
  if (target.kind === 'raster') return [];
  const joins = joinsOf(layer);
  const joined = (name: string) => joins.some(({ prefix }) => name.startsWith(`${prefix}.`));
  return [
    {
      ...layer,
      wanted: present =>
        columnsNeeded({ ...layer, columns: respelled(layer.columns, target.columns, present) }).filter(
          name => !joined(name),
        ),
    },
    ...joins.map(spec => ({ ...spec, wanted: () => columnsOfJoin(spec, columnsNeeded(layer)) })),
  ];
}

/**
 * Checks that each file has every column that the place names, join keys included. It reads headers, and rows only for formats
 * without a header. Returns the problems.
 * @param missing files that do not exist and are reported elsewhere.
 */
export async function columnProblems(
  place: Place,
  sources: string,
  missing: readonly string[],
): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const layer of place.layers) {
    const name = `${layer.dataset}:${layer.layer}`;
    for (const read of reads(layer).filter(({ file }) => !missing.includes(file))) {
      const { file, wanted } = read;
      try {
        const columns = await columnsIn(read, sources, wanted);
        const absent = columns ? [...new Set(wanted(columns))].filter(column => !columns.has(column)) : [];
        if (columns && absent.length > 0)
          problems.push({
            file,
            layer: name,
            message: missingColumns(absent, columns),
          });
      } catch (error) {
        problems.push({ file, layer: name, message: (error as Error).message });
      }
    }
  }
  return problems;
}
