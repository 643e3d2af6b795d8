/** A definition that a place file cannot express; the message says why. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}
