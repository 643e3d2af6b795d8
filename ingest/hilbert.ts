/** The order of features on disk is part of the format that readers rely on. */
export { hilbert, hilbertOf } from '../datasets/hilbert.ts';
