// Three times the bits lost: PLAT_TEST says so there.
import './filegdb.test.ts';
