import { encode } from 'fast-png';
import { ADVANCE } from './font.ts';
import { colourOf, type Frame, Painter } from './painter.ts';
import { REJECTED, type Scene, type SceneLayer, type SceneReject } from './scene.ts';

/** Pixels of the map's longer side, and of its margin. */
const SIDE = 1400;
const MARGIN = 20;
/** Pixels of a line of the legend, of its swatch, and of a dot of its letters. */
const LINE = 22;
const SWATCH = 14;
const DOT = 2;
const INK = colourOf('#222222');
/** Widest text of the legend, in letters. */
const LETTERS = 100;

function draw(painter: Painter, frame: Frame, { kind, colour, features }: SceneLayer): void {
  const paint = colourOf(colour);
  for (const chains of features)
    if (kind === 'point') painter.discs(chains, frame, paint, 0.8, 1.6);
    else {
      if (kind === 'polygon') painter.fill(chains, frame, paint, 0.16);
      painter.stroke(chains, kind === 'polygon', frame, paint, 0.8, kind === 'line' ? 1.2 : 0.5);
    }
}

function drawReject(painter: Painter, frame: Frame, { kind, chains }: SceneReject): void {
  const paint = colourOf(REJECTED);
  if (kind === null) return;
  if (kind === 'polygon') painter.fill(chains, frame, paint, 0.45);
  if (kind === 'point') painter.discs(chains, frame, paint, 1, 4);
  else painter.stroke(chains, kind === 'polygon', frame, paint, 1, 2);
  // Draw a ring of dots around the first point, because small rejects would not be seen.
  painter.discs(
    chains.slice(0, 1).map(chain => chain.slice(0, 2)),
    frame,
    paint,
    0.9,
    3,
  );
}

/** Returns the scene as a PNG: the map, and below it the legend and the number of rejected rows. */
export function mapPng(scene: Scene): Uint8Array {
  const scale = SIDE / Math.max(scene.width, scene.height);
  const lost = scene.rejects.filter(reject => reject.kind === null).length;
  const legend = [
    ...scene.layers.map(({ name, file, count, colour }) => ({ colour, text: `${name} (${count}) ${file}` })),
    {
      colour: REJECTED,
      text: `rejected rows (${scene.rejects.length}${lost > 0 ? `, ${lost} without a geometry to draw` : ''})`,
    },
    ...scene.failed.map(({ layer }) => ({ colour: '#000000', text: `failed: ${layer}` })),
  ].map(({ colour, text }) => ({ colour, text: text.slice(0, LETTERS) }));
  const widest = Math.max(...legend.map(({ text }) => text.length), scene.title.length * 1.5) * ADVANCE * DOT;
  const mapWidth = Math.ceil(scene.width * scale);
  const mapHeight = Math.ceil(scene.height * scale);
  const width = Math.max(mapWidth, widest + SWATCH + 10) + 2 * MARGIN;
  const height = mapHeight + legend.length * LINE + 3 * MARGIN + 34;
  const painter = new Painter(Math.ceil(width), Math.ceil(height));
  painter.text(scene.title, MARGIN, MARGIN, 3, INK);
  const frame = { scale, left: MARGIN + (width - 2 * MARGIN - mapWidth) / 2, top: MARGIN + 34 };
  for (const layer of scene.layers) draw(painter, frame, layer);
  for (const reject of scene.rejects) drawReject(painter, frame, reject);
  let top = mapHeight + 2 * MARGIN + 34;
  for (const { colour, text } of legend) {
    painter.block(MARGIN, top, SWATCH, SWATCH, colourOf(colour), 0.8);
    painter.text(text, MARGIN + SWATCH + 8, top, DOT, INK);
    top += LINE;
  }
  return encode({ width: painter.width, height: painter.height, data: painter.pixels(), channels: 3, depth: 8 });
}
