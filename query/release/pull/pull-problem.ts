/** Why a release of a store is not taken. Its message names neither the store nor paths of this machine: anybody may read it. */
export class PullProblem extends Error {
  override readonly name = 'PullProblem';
}
