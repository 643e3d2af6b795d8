// The same tests with more fillings of the disk: PLAT_TEST says so there.
import './storage.test.ts';
