import { expect, it } from 'vitest';
import { readRows, scratch } from './scratch.ts';

const write = scratch();
const marks = (...coordinates: string[]) =>
  `<kml>${coordinates
    .map(text => `<Placemark><LineString><coordinates>${text}</coordinates></LineString></Placemark>`)
    .join('')}</kml>`;

it('KML with blanks around its commas has the positions that it shows', async () => {
  const texts = ['-84.5, 42.7, 0 -84.4, 42.8, 0', '-84.5 ,42.7\n-84.4 , 42.8', '-84.5,42.7, -84.4,42.8,'];
  const rows = await readRows(write('a.kml', marks(...texts)));
  for (const { geometry } of rows) expect([...geometry!.xy]).toEqual([-84.5, 42.7, -84.4, 42.8]);
  const point = '<kml><Placemark><Point><coordinates>-84.5, 42.7, 0</coordinates></Point></Placemark></kml>';
  expect([...(await readRows(write('b.kml', point)))[0]!.geometry!.xy]).toEqual([-84.5, 42.7]);
});

it('a position of KML whose end cannot be told loses its row alone', async () => {
  const [lost, whole] = await readRows(write('c.kml', marks('-84.5, 42.7, -84.4, 42.8', '-84.5,42.7 -84.4,42.8')));
  expect(lost!.unread?.reason).toMatch(/two numbers were expected/);
  expect(whole!.geometry!.xy).toHaveLength(4);
});
