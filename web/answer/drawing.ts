import type { AnswerGround } from './places.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Pixels of a drawing, and of its border. */
const [WIDTH, HEIGHT, BORDER] = [640, 360, 36];
/** Metres of a degree of latitude, about. */
const DEGREE_M = 111_320;
/** Degrees that are shown of a single place: some hundred metres. */
const LEAST_DEGREES = 0.004;

function element(name: string, attributes: Readonly<Record<string, string | number>>, ...inner: (Node | string)[]) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...inner);
  return made;
}

/** A round length of at most so many metres: 1, 2 or 5 times a power of ten. */
function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map(times => times * power).find(length => length <= most) ?? power;
}

/** The least and the greatest of some numbers. */
function boundsOf(all: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of all) {
    low = Math.min(low, one);
    high = Math.max(high, one);
  }
  return [low, high];
}

/** Draws places and areas with north up: equirectangular about their middle, where a metre is as long in both directions. */
export function drawGround({ places, rings }: AnswerGround): SVGElement {
  const points = [...places.map(({ lng, lat }) => [lng, lat] as const), ...rings.flat()];
  const lngs = points.map(([lng]) => lng);
  const lats = points.map(([, lat]) => lat);
  const [[west, east], [south, north]] = [boundsOf(lngs), boundsOf(lats)];
  const middle = { lng: (west + east) / 2, lat: (south + north) / 2 };
  const narrowing = Math.cos((middle.lat * Math.PI) / 180);
  const across = Math.max((east - west) * narrowing, LEAST_DEGREES);
  const down = Math.max(north - south, LEAST_DEGREES);
  /** Pixels of a degree of latitude. */
  const scale = Math.min((WIDTH - 2 * BORDER) / across, (HEIGHT - 2 * BORDER) / down);
  const at = ([lng, lat]: readonly [number, number]) => {
    const x = WIDTH / 2 + (lng - middle.lng) * narrowing * scale;
    return [x.toFixed(1), (HEIGHT / 2 - (lat - middle.lat) * scale).toFixed(1)] as const;
  };
  const drawing = element('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `Map of ${places.length} places`,
  });
  const path = rings.map(ring => `M${ring.map(point => at(point).join(' ')).join('L')}Z`).join('');
  if (path !== '') drawing.append(element('path', { class: 'area', d: path, 'fill-rule': 'evenodd' }));
  for (const [i, { lng, lat, label }] of places.entries()) {
    const [x, y] = at([lng, lat]);
    const marker = element(
      'circle',
      { class: 'place', cx: x, cy: y, r: 6 },
      element('title', {}, `${i + 1}. ${label}`),
    );
    drawing.append(marker, element('text', { x: Number(x) + 9, y: Number(y) + 4 }, String(i + 1)));
  }
  const metres = roundLength((WIDTH / 4 / scale) * DEGREE_M);
  const length = (metres / DEGREE_M) * scale;
  const unit = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`;
  drawing.append(
    element('path', { class: 'scale', d: `M16 ${HEIGHT - 14}h${length.toFixed(1)}` }),
    element('text', { x: 16, y: HEIGHT - 20 }, unit),
    element('text', { x: WIDTH - 40, y: 20 }, '↑ N'),
  );
  return drawing;
}
