import { isLook, type Look } from '../looks.ts';
import hints from './hints.json' with { type: 'json' };

/** The look of a column's values, and the names that publishers of other products use for it. */
type ColumnHint = readonly [look: Look, names: string];

/** How files of a layer are named, how large its polygons are (median, m²), and its columns. */
interface LayerHint {
  readonly files: string;
  readonly size?: readonly [number, number];
  readonly columns: Readonly<Record<string, ColumnHint>>;
}

/** A layer as the file of hints has it. */
interface WrittenHint {
  readonly files: string;
  readonly size?: readonly number[];
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** @throws Error naming a hint that has another form, or a look that there is not. */
function read(layer: string, { files, size, columns }: WrittenHint): LayerHint {
  const checked = Object.entries(columns).map(([column, [look = '', names, ...more]]): [string, ColumnHint] => {
    if (!isLook(look) || names === undefined || more.length > 0)
      throw new Error(`hints.json: ${layer} ${column}: expected a look (looks.ts) and the names as one text`);
    return [column, [look, names]];
  });
  return { files, size: size && [size[0]!, size[1]!], columns: Object.fromEntries(checked) };
}

/**
 * `dataset:layer` → names that publishers use for the layers of the catalog and their columns. Blanks separate names, `_` the parts
 * of a name; usual names come first. To add a name, add one word to hints.json.
 */
export const HINTS: Readonly<Record<string, LayerHint>> = Object.fromEntries(
  Object.entries<WrittenHint>(hints).map(([layer, hint]) => [layer, read(layer, hint)]),
);
