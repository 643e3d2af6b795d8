// The same tests over the whole synthetic area: PLAT_TEST says so there.
import './replica.test.ts';
