import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Expectation } from '../../../datasets/place/expectation.ts';
import type { PlaceLayer } from '../../../datasets/place/place.ts';
import type { LayerQuality } from '../../../datasets/release.ts';
import type { Built } from './built.ts';
import { exceeds, groundName, percent, rowsOf, type Unmet } from './found.ts';
import { misplacement } from './location.ts';

/** Yields the expectations that one file does not meet, without a comparison with an earlier release. */
export function* absolute({ layer, count }: Built, expected: Required<Expectation>): Generator<Unmet> {
  const unit = layerOf(catalog.datasets, count.dataset, count.layer).kind === 'raster' ? 'blocks' : 'rows';
  if (layer.expectRows !== undefined && count.read !== layer.expectRows)
    yield [
      'rows',
      { what: `expected ${layer.expectRows} ${unit}, read ${count.read}; is it another edition of the file?` },
    ];
  const taken = count.rejected + count.written;
  if (taken > 0 && exceeds(count.rejected / taken, expected.rejected))
    yield [
      'rejected',
      {
        rows: count.rejected,
        what: `${count.rejected} of ${rowsOf(taken)} ${count.rejected === 1 ? 'is' : 'are'} rejected (${percent(count.rejected / taken)}; at most ${percent(expected.rejected)} may be)`,
      },
    ];
  if (count.capped)
    yield ['capped', { rows: count.read, what: `the file is only a part of what its service has: ${count.capped}` }];
  const { quality } = count;
  if (!quality) return;
  for (const [column, most] of Object.entries(expected.nulls)) {
    const nulls = quality.nulls[column] ?? 0;
    if (quality.rows > 0 && exceeds(nulls / quality.rows, most))
      yield [
        'nulls',
        {
          column,
          rows: nulls,
          what: `${nulls} of ${rowsOf(quality.rows)} hold no value (${percent(nulls / quality.rows)}; at most ${percent(most)} may)`,
        },
      ];
  }
  for (const [column, [lookups, found]] of Object.entries(quality.hits)) {
    const least = expected.hits[column] ?? 0;
    if (found === 0 ? expected.hits[column] !== 0 : exceeds(least, found / lookups))
      yield [
        'hits',
        {
          column,
          rows: lookups - found,
          what: `of ${rowsOf(lookups)} ${found} found something in the mapping’s lookup, patterns or join (at least ${least > 0 ? percent(least) : 'one'} must)`,
        },
      ];
  }
  for (const [column, rows] of Object.entries(quality.unlisted))
    if (exceeds(rows / quality.rows, expected.unlisted[column] ?? 0))
      yield [
        'unlisted',
        {
          column,
          rows,
          what: `${rowsOf(rows)} ${rows === 1 ? 'holds a value' : 'hold values'} that the publisher’s closed list does not have`,
        },
      ];
  if (quality.placed) yield* places(quality.placed, layer, expected);
}

function* places(
  placed: NonNullable<LayerQuality['placed']>,
  layer: PlaceLayer,
  expected: Required<Expectation>,
): Generator<Unmet> {
  const { features, swapped, noDegrees, elsewhere, outside } = placed;
  const abroad = swapped + noDegrees + elsewhere;
  const cause = misplacement(placed);
  // A national file may hold storms and quakes far out at sea, but not most of its features.
  if (cause !== null || (!layer.national && exceeds(abroad / features, expected.outside)))
    yield [
      'crs',
      {
        rows: abroad,
        what:
          cause ??
          `${abroad} of ${features} features do not lie in the United States (${swapped} would with latitude and longitude exchanged, ${noDegrees} have no degrees; at most ${percent(expected.outside)} may)`,
      },
    ];
  if (features > 0 && exceeds(outside / features, expected.outside))
    yield [
      'outside',
      {
        rows: outside,
        what: `${outside} of ${features} features lie more than ${expected.outsideMetres} m beyond the box of ${groundName(placed)} (at most ${percent(expected.outside)} may)`,
      },
    ];
}
