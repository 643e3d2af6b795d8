/** What similarity a reading loses where its words are not what its street, number, unit and city are written with. */
export const STRAIN = {
  moved: 0.01,
  leftOut: 0.02,
  digitsLeftOut: 0.04,
  /** Words between commas that the middle of a street does not explain: they may have told where on it. */
  pieceLeftOut: 0.1,
  unitAlone: 0.06,
  ordinalEnding: 0.01,
  misread: 0.03,
  /** As much as a suffix that no house has, so that 20E MAIN ST is as likely 20 E MAIN ST as beside 20 MAIN ST. */
  directionalJoined: 0.03,
} as const;

/** What it costs that words are part of no answer: digits are never free. */
export const strainOf = (words: readonly string[]): number =>
  words.filter(word => /\d/.test(word)).length * STRAIN.digitsLeftOut;
