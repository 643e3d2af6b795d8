import { LayerError } from '../layer-job.ts';

/** An expectation of a layer that its new rows do not meet. */
export interface Breach {
  /** Key for the flag: `place/dataset:layer/measure`, followed by `/column` for a column. */
  readonly key: string;
  readonly file: string;
  /** `dataset:layer`. */
  readonly layer: string;
  readonly column: string | null;
  /** Number of rows concerned; null if the breach is about the file as a whole. */
  readonly rows: number | null;
  /** One sentence: what was measured and what was expected. */
  readonly what: string;
  readonly examples: readonly string[];
}

/** Returns the flag that accepts a breach for one run. */
export const flagOf = (breach: Pick<Breach, 'key'>) => `--accept ${breach.key}`;

/** Returns a breach as lines for people: what and where, examples, the flag. */
export function breachLines({ layer, file, column, what, examples, key }: Breach): string[] {
  return [
    `${layer}, ${file}${column === null ? '' : `, column ${column}`}: ${what}`,
    ...(examples.length > 0 ? [`  for example ${examples.join('; ')}`] : []),
    `  accept it once with ${flagOf({ key })}`,
  ];
}

/** Expectations that are not met: nothing was published. */
export class QualityError extends LayerError {
  readonly breaches: readonly Breach[];

  /** @param serving release that stays the current one; null when there is none. */
  constructor(place: string, breaches: readonly Breach[], serving: string | null) {
    super([headline(place, breaches, serving), ...breaches.flatMap(breachLines)].join('\n'));
    this.breaches = breaches;
  }
}

/** Returns why an ingest failed, as one line. */
export const reasonOf = (error: unknown): string =>
  error instanceof QualityError
    ? error.breaches.map(({ layer, what }) => `${layer}: ${what}`).join('; ')
    : (error as Error).message.split('\n', 1)[0]!;

/** Returns the first line of the message about breaches. */
function headline(place: string, { length }: readonly Breach[], serving: string | null): string {
  const stays = serving === null ? '' : `; release ${serving} stays the current one`;
  return `${place}: ${length} ${length === 1 ? 'expectation is' : 'expectations are'} not met. Nothing was published${stays}.`;
}

/**
 * Separates breaches that flags accept from the others.
 * @param accept keys of breaches, or the beginning of keys up to a slash: `bangor-me/parcel_store:main` accepts all of a layer.
 */
export function sorted<B extends Pick<Breach, 'key'>>(
  breaches: readonly B[],
  accept: readonly string[],
): { readonly standing: readonly B[]; readonly accepted: readonly B[]; readonly idle: readonly string[] } {
  const covers = (flag: string, { key }: B) => key === flag || key.startsWith(`${flag}/`);
  const isAccepted = (breach: B) => accept.some(flag => covers(flag, breach));
  return {
    standing: breaches.filter(b => !isAccepted(b)),
    accepted: breaches.filter(isAccepted),
    idle: accept.filter(flag => !breaches.some(b => covers(flag, b))),
  };
}
