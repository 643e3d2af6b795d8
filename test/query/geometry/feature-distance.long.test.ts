// Three times the places and lines: PLAT_TEST says so there.
import './feature-distance.test.ts';
