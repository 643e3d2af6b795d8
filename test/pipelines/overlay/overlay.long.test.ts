// The same tests, and those that compute everything anew: PLAT_TEST says so there.
import './overlay.test.ts';
