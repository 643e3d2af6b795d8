import type { Map as Canvas, IControl } from 'maplibre-gl';
import type { Theme } from '../shell/theme.ts';
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
];

/** Pixels of width below which the list is folded at first. */
const NARROW = 700;

/** A key to the colors of what the map has at this zoom, by which layers are hidden and shown again. */
export class Legend implements IControl {
  readonly #element = document.createElement('details');
  readonly #list = document.createElement('ul');
  readonly #hidden = new Set<string>();
  #map: Canvas | null = null;
  #told = '';

  constructor() {
    const summary = document.createElement('summary');
    summary.textContent = 'Layers';
    this.#element.className = 'maplibregl-ctrl legend';
    this.#element.open = innerWidth > NARROW;
    this.#element.append(summary, this.#list);
  }

  /** Shows what a map has at its zoom, in the colors of a theme, and hides the layers that were switched off. */
  show(theme: Theme, { vector_layers: layers }: TileIndex): void {
    if (!this.#map) return;
    const zoom = this.#map.getZoom();
    const here = new Set(layers.filter(({ minzoom }) => minzoom <= zoom).map(({ id }) => id));
    const entries = ENTRIES.filter(([layer]) => here.has(layer));
    this.#element.hidden = entries.length === 0;
    const now = `${theme} ${entries.map(([layer]) => layer).join()}`;
    if (now === this.#told) return;
    this.#told = now;
    this.#list.replaceChildren(...entries.map(entry => this.#line(theme, entry)));
  }

  /** Applies what was switched off to a style that was drawn anew. */
  apply(): void {
    for (const layer of this.#map?.getStyle()?.layers ?? [])
      if ('source-layer' in layer)
        this.#map!.setLayoutProperty(
          layer.id,
          'visibility',
          this.#hidden.has(layer['source-layer'] ?? '') ? 'none' : 'visible',
        );
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
