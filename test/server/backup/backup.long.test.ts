// The same tests between all stores: PLAT_TEST says so there.
import './backup.test.ts';
