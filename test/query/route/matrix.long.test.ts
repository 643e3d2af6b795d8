// Three towns instead of one: PLAT_TEST says so there.
import './matrix.test.ts';
