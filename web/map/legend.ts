import type { IControl } from 'maplibre-gl';
import type { Theme } from '../shell/theme.ts';
import { PALETTES, type Palette } from './palette.ts';

/** What the colours of areas mean, by the layer that they are of. */
const ENTRIES: readonly (readonly [layer: string, color: keyof Palette, text: string])[] = [
  ['flood_zones', 'flood', 'Flood zone (A, V)'],
  ['flood_zones', 'floodway', 'Floodway'],
  ['water', 'water', 'Water'],
  ['wetlands', 'wetland', 'Wetland'],
];

/** A key to the colours of the map. */
export class Legend implements IControl {
  readonly #element = document.createElement('ul');

  constructor() {
    this.#element.className = 'maplibregl-ctrl legend';
    this.#element.setAttribute('aria-label', 'Colours of the map');
  }

  /** Shows the colours of a theme for those layers that the map has. */
  show(theme: Theme, layers: readonly string[]): void {
    this.#element.replaceChildren(
      ...ENTRIES.filter(([layer]) => layers.includes(layer)).map(([layer, color, text]) => {
        const item = document.createElement('li');
        const swatch = document.createElement('span');
        swatch.style.background = PALETTES[theme][color];
        // As the map draws it.
        if (layer === 'flood_zones') swatch.style.opacity = '0.45';
        item.append(swatch, text);
        return item;
      }),
    );
  }

  onAdd(): HTMLElement {
    return this.#element;
  }

  onRemove(): void {
    this.#element.remove();
  }
}
