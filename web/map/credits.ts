import type { Map as Canvas, IControl } from 'maplibre-gl';
import type { GroundIndex } from './ground.ts';
import type { Box } from './scene.ts';

/** Whom the map names where it shows some layers within a box. */
export interface Credit {
  readonly text: string;
  /** Layers of the tiles, or `terrain`. */
  readonly layers: readonly string[];
  readonly box: Box | null;
}

const meets = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/**
 * Whom a map names: of what it draws in its view. Pure.
 * @param layers that are drawn; those of the ground stand for `terrain`.
 */
export function creditsIn(
  credits: readonly Credit[],
  layers: ReadonlySet<string>,
  view: Box,
  { imagery }: GroundIndex,
): string[] {
  const drawn = new Set(layers);
  if (drawn.has('relief') || drawn.has('contours')) drawn.add('terrain');
  const named = credits
    .filter(one => one.layers.some(layer => drawn.has(layer)) && (one.box === null || meets(one.box, view)))
    .map(({ text }) => text);
  return [...named, ...(drawn.has('imagery') && imagery?.attribution ? [imagery.attribution] : [])];
}

/** A button that tells whose the data is that the map shows. It stands below the list of layers, so that neither covers the other. */
export class Credits implements IControl {
  readonly #element = document.createElement('details');
  readonly #list = document.createElement('p');

  constructor() {
    const summary = document.createElement('summary');
    summary.textContent = 'Sources';
    this.#element.className = 'maplibregl-ctrl legend credits';
    this.#element.hidden = true;
    this.#element.append(summary, this.#list);
  }

  /** Names these. */
  show(names: readonly string[]): void {
    const text = names.join('; ');
    if (this.#list.textContent === text) return;
    this.#element.hidden = names.length === 0;
    this.#list.textContent = text;
  }

  onAdd(_map: Canvas): HTMLElement {
    return this.#element;
  }

  onRemove(): void {
    this.#element.remove();
  }
}
