// More points about each place.
import './box-tree-nearest.test.ts';
