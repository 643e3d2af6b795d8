import type { Map as Canvas, IControl, LayerSpecification } from 'maplibre-gl';
import type { Theme } from '../shell/theme.ts';
import { CONTOURS, IMAGERY, RELIEF, RELIEF_TO } from './ground.ts';
import { PALETTES, type Palette } from './palette.ts';
import type { TileIndex } from './style.ts';

/** What can be shown and hidden: a layer of the tiles, with the colors that its areas or lines have. */
const ENTRIES: readonly (readonly [
  layer: string,
  text: string,
  swatches: readonly (readonly [color: keyof Palette, meaning: string])[],
])[] = [
  [
    'flood_zones',
    'Flood zones',
    [
      ['flood', 'A or V'],
      ['floodway', 'floodway'],
    ],
  ],
  ['water', 'Water', [['water', '']]],
  ['wetlands', 'Wetlands', [['wetland', '']]],
  ['zoning', 'Zoning', [['zoning', '']]],
  ['parcels', 'Parcels', [['parcel', '']]],
  ['buildings', 'Buildings', [['building', '']]],
  ['roads', 'Roads', [['mainRoad', '']]],
  ['boundaries', 'Boundaries', [['boundary', '']]],
  [RELIEF, 'Shaded relief', [['shade', '']]],
  [CONTOURS, 'Contours', [['contour', '']]],
  [IMAGERY, 'Aerial pictures', []],
];

/** What is on the map beside its layers of tiles, from which zoom on and up to which. */
const groundIn = ({
  ground,
  imagery,
}: TileIndex): readonly (readonly [entry: string, minzoom: number, maxzoom: number])[] => [
  ...(ground
    ? [
        [RELIEF, ground.heights.minzoom, RELIEF_TO] as const,
        [CONTOURS, ground.contours.minzoom, Number.POSITIVE_INFINITY] as const,
      ]
    : []),
  ...(imagery ? [[IMAGERY, 0, Number.POSITIVE_INFINITY] as const] : []),
];

/** The entry of the list that a layer of the map belongs to; undefined for what is always shown. */
const entryOf = (layer: LayerSpecification): string | undefined =>
  (layer.metadata as { entry?: string } | undefined)?.entry ??
  ('source-layer' in layer ? layer['source-layer'] : undefined);

/** Pixels of width below which the list is folded at first. */
const NARROW = 700;

/** A key to the colors of what the map has at this zoom, by which layers are hidden and shown again. */
export class Legend implements IControl {
  readonly #element = document.createElement('details');
  readonly #list = document.createElement('ul');
  readonly #hidden = new Set<string>([IMAGERY]);
  /** What is not yet asked for, so that the rest of the map stands first. */
  readonly #waiting = new Set<string>([RELIEF, CONTOURS]);
  readonly #onChange: () => void;
  #here: ReadonlySet<string> = new Set();
  #map: Canvas | null = null;
  #told = '';
  #theme: Theme | null = null;
  readonly #lines = new Map<string, HTMLElement>();

  /** @param onChange is called when a layer was hidden or shown. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const summary = document.createElement('summary');
    summary.textContent = 'Layers';
    this.#element.className = 'maplibregl-ctrl legend';
    this.#element.open = innerWidth > NARROW;
    this.#element.append(summary, this.#list);
  }

  /** Shows what a map has at its zoom, in the colors of a theme, and hides the layers that were switched off. */
  show(theme: Theme, index: TileIndex): void {
    if (!this.#map) return;
    const zoom = this.#map.getZoom();
    const tiled = index.vector_layers.filter(({ minzoom }) => minzoom <= zoom).map(({ id }) => id);
    const ground = groundIn(index).filter(([, least, most]) => least <= zoom && zoom < most);
    const here = new Set([...tiled, ...ground.map(([entry]) => entry)]);
    this.#here = here;
    const entries = ENTRIES.filter(([layer]) => here.has(layer));
    this.#element.hidden = entries.length === 0;
    const now = `${theme} ${entries.map(([layer]) => layer).join()}`;
    if (now === this.#told) return;
    this.#told = now;
    this.#write(theme, entries);
  }

  /** Writes the lines of some entries. Lines that stay are left in the page: somebody may be about to click one. */
  #write(theme: Theme, entries: readonly (typeof ENTRIES)[number][]): void {
    if (theme !== this.#theme) this.#lines.clear();
    this.#theme = theme;
    const lines = entries.map(entry => {
      const line = this.#lines.get(entry[0]) ?? this.#line(theme, entry);
      this.#lines.set(entry[0], line);
      return line;
    });
    for (const old of [...this.#list.children]) if (!lines.includes(old as HTMLElement)) old.remove();
    for (const [i, line] of lines.entries())
      if (this.#list.children[i] !== line) this.#list.insertBefore(line, this.#list.children[i] ?? null);
  }

  /** Folds the key: corners of an area may lie below it. */
  fold(): void {
    this.#element.open = false;
  }

  /** The layers that the map draws at this zoom. */
  get drawn(): ReadonlySet<string> {
    return new Set([...this.#here].filter(entry => !this.#hidden.has(entry)));
  }

  /** Lets what waited for the rest of the map be drawn too. */
  endWaiting(): void {
    this.#waiting.clear();
    this.apply();
  }

  /** Applies what was switched off to a style that was drawn anew. */
  apply(): void {
    for (const layer of this.#map?.getStyle()?.layers ?? []) {
      const entry = entryOf(layer);
      if (entry === undefined) continue;
      const isOff = this.#hidden.has(entry) || this.#waiting.has(entry);
      this.#map!.setLayoutProperty(layer.id, 'visibility', isOff ? 'none' : 'visible');
    }
  }

  #line(theme: Theme, [layer, text, swatches]: (typeof ENTRIES)[number]): HTMLElement {
    const item = document.createElement('li');
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = !this.#hidden.has(layer);
    box.addEventListener('change', () => {
      if (box.checked) this.#hidden.delete(layer);
      else this.#hidden.add(layer);
      this.apply();
      this.#onChange();
    });
    label.append(box, text);
    for (const [color, meaning] of swatches) {
      const swatch = document.createElement('span');
      swatch.className = 'swatch';
      swatch.style.background = PALETTES[theme][color];
      // As the map draws it.
      if (layer === 'flood_zones') swatch.style.opacity = '0.45';
      label.append(swatch, meaning);
    }
    item.append(label);
    return item;
  }

  onAdd(map: Canvas): HTMLElement {
    this.#map = map;
    return this.#element;
  }

  onRemove(): void {
    this.#map = null;
    this.#element.remove();
  }
}
