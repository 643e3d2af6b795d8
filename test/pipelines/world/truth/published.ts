import { parse } from 'csv-parse/sync';
import type { Value } from '../../../../datasets/dataset.ts';
import type { FormatOptions } from '../../../../datasets/place/place.ts';
import type { Shape } from '../../../../pipelines/world/format/feature.ts';
import type { WorldFile } from '../../../../pipelines/world/format/file.ts';
import type { Row } from './condition.ts';

export interface PublishedRow {
  readonly row: Row;
  readonly shape: Shape | null;
}

function pointOf(row: Row, options: FormatOptions): Shape | null {
  if (!options.x || !options.y) return null;
  let [x, y] = [Number(row[options.x]), Number(row[options.y])];
  if (options.arcSeconds) {
    x *= (row[options.arcSeconds.xDirection] === 'W' ? -1 : 1) / 3600;
    y *= (row[options.arcSeconds.yDirection] === 'S' ? -1 : 1) / 3600;
  }
  return { type: 'Point', coordinates: [x, y] };
}

function delimited(lines: Iterable<string>, options: FormatOptions): Row[] {
  const text = [...lines]
    .join('')
    .split('\n')
    .slice(options.skipLines ?? 0)
    .join('\n');
  return parse(text, {
    columns: options.header ? [...options.header] : true,
    delimiter: options.delimiter ?? ',',
    skip_empty_lines: true,
    relax_column_count: true,
    cast: cell => (cell === '' ? null : cell),
  }) as Row[];
}

/** The rows of a file as its generator makes them, before any byte is written. */
export function publishedRows(file: WorldFile, options: FormatOptions): PublishedRow[] {
  const points = (rows: Iterable<Row>) => [...rows].map(row => ({ row, shape: pointOf(row, options) }));
  switch (file.kind) {
    case 'shapefile':
    case 'geojson':
      return [...file.rows()].map(({ properties, geometry }) => ({ row: properties, shape: geometry }));
    case 'csv':
      return points(file.rows());
    case 'geopackage': {
      const layers = Object.values(file.layers);
      const layer = options.layer ? file.layers[options.layer]! : layers[0]!;
      return [...layer.rows()].map(({ properties, geometry }) => ({ row: properties, shape: geometry }));
    }
    case 'geodatabase':
      return [...file.database.layers[options.layer!]!.rows()].map(({ properties, geometry }) => ({
        row: properties,
        shape: geometry,
      }));
    case 'text':
      if (file.path.endsWith('.table.json')) {
        const [names, ...cells] = JSON.parse([...file.lines()].join('')) as [string[], ...Value[][]];
        return points(cells.map(line => Object.fromEntries(names.map((name, i) => [name, line[i]!]))));
      }
      return points(delimited(file.lines(), options));
    case 'archive': {
      const member = options.member ?? Object.keys(file.members)[0]!;
      return points(delimited(file.members[member]!(), options));
    }
    case 'xlsx': {
      const [header, ...cells] = file.sheets()[options.sheet!]!.slice(options.skipLines ?? 0);
      const seen = new Map<string, number>();
      const names = header!.map(cell => {
        const count = (seen.get(String(cell)) ?? 0) + 1;
        seen.set(String(cell), count);
        return count === 1 ? String(cell) : `${cell}_${count}`;
      });
      const plain = (cell: unknown) => (cell instanceof Date ? cell.toISOString() : cell);
      return points(
        cells.map(line => Object.fromEntries(names.map((name, i) => [name, plain(line[i] ?? null)])) as Row),
      );
    }
    case 'geotiff':
      throw new Error(`${file.path} is a grid`);
  }
}
