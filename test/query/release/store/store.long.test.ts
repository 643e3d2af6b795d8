// The same tests with 25 releases of each publisher: PLAT_TEST says so there.
import './store.test.ts';
