import { licenceOf } from '../../../datasets/directory/licence.ts';
import type { WrittenLayer } from '../../../datasets/place/place.ts';
import type { StateTemplate } from '../../../datasets/place/state-template.ts';
import { countyParcels } from '../../../datasets/templates.ts';
import { columnsOfExpression } from '../../steps/normalise.ts';
import type { CountyOfPlace } from './source-layer.ts';
import type { ChosenSources, LeftOut } from './sources.ts';

/** Where the parcels of a county come from. */
export interface ParcelChoice {
  /** Sources of the directory; none where the state's template is taken. */
  readonly sources: ChosenSources['layers'];
  /** What the place says to take them from the state's template; null where it does not. */
  readonly template: ReturnType<typeof countyParcels> | null;
  /** The choice, for people. */
  readonly why: string;
  readonly left: readonly LeftOut[];
}

/** Number of parcel attributes that are read from the file. */
const attributesOf = (columns: WrittenLayer['columns']): number =>
  Object.values(columns).filter(column => columnsOfExpression(column).length > 0).length;

/**
 * Chooses between the sources that the directory names for a county and the parcels that its state publishes: whichever fills more
 * attributes. Of equals the county's own, which are nearer to who makes them.
 * @param isOpen takes only data that everybody may use, change and pass on.
 */
export function parcelChoice(
  chosen: ChosenSources,
  template: StateTemplate | undefined,
  { county }: CountyOfPlace,
  isOpen: boolean,
): ParcelChoice {
  const own = Math.max(0, ...chosen.layers.map(({ layer }) => attributesOf(layer.columns)));
  const named = chosen.layers.map(({ layer }) => layer.file).join(', ');
  const directory = (why: string, left: readonly LeftOut[]): ParcelChoice => ({
    ...{ sources: chosen.layers, template: null, why, left: [...chosen.left, ...left] },
  });
  if (!template) return directory(named === '' ? 'No parcels are known.' : `Parcels: ${named}.`, []);
  const { closed, text } = licenceOf({ license: template.licence });
  if (isOpen && closed !== null)
    return directory(named === '' ? 'No open parcels are known.' : `Parcels: ${named}.`, [
      { what: template.name, why: `its license is ${closed}: ${text}` },
    ]);
  const ofState = attributesOf(template.columns);
  // Parcels of a city leave the rest of the county bare.
  const isBetter = chosen.scope !== 'county' || ofState > own;
  if (!isBetter) {
    const why = `${named} fills ${own} attributes of parcels, the state's ${template.title} ${ofState}`;
    return directory(`Parcels: ${why}.`, [{ what: template.name, why }]);
  }
  const said = countyParcels(template, county);
  const instead = `the state's ${template.title} fills ${ofState} attributes of parcels, it ${own}`;
  return {
    sources: [],
    template: said,
    why: `Parcels: ${template.title} of ${template.publisher} (${ofState} attributes${named === '' ? '' : `; ${named} has ${own}`}).`,
    left: [...chosen.left, ...chosen.layers.map(({ layer }) => ({ what: layer.file, why: instead }))],
  };
}
