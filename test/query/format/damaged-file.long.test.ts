// The same tests with twenty times the damage, and every kind of file among the large ones: PLAT_TEST says so there.
import './damaged-file.test.ts';
