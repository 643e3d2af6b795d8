import { expect, it } from 'vitest';
import { PointColumns } from '../../ingest/point-columns.ts';

const columns = ['lon', 'ew', 'lat', 'ns'];
const options = { x: 'lon', y: 'lat', arcSeconds: { xDirection: 'ew', yDirection: 'ns' } };

it('reads seconds of arc with their directions, west and south negative', () => {
  const points = new PointColumns('r.dat', columns, options);
  const at = (...cells: string[]) => [...(points.located(cells).geometry?.xy ?? [])];
  expect(at('252000', 'W', '156600.0', 'N')).toEqual([-70, 43.5]);
  expect(at('522000.0', 'e', '36000', 's')).toEqual([145, -10]);
});

it('has no point where a direction is missing or wrong, and refuses a column that is not there', () => {
  const points = new PointColumns('r.dat', columns, options);
  for (const cells of [
    ['1', '', '1', 'N'],
    ['1', 'X', '1', 'N'],
    ['', 'W', '1', 'N'],
  ])
    expect(points.located(cells)).toEqual({ geometry: null });
  const wrong = { ...options, arcSeconds: { xDirection: 'side', yDirection: 'ns' } };
  expect(() => new PointColumns('r.dat', columns, wrong)).toThrow(/no column "side"/);
});
