// More pushes that break off: PLAT_TEST says so there.
import './push.test.ts';
