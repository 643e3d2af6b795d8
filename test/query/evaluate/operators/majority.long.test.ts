// Three times the lots and their strips: PLAT_TEST says so there.
import './majority.test.ts';
