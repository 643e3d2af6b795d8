/** Why what a store has is not taken. Its message names neither the store nor paths of this machine: anybody may read it. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
}
