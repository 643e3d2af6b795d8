// The same tests with fifty moments of kill -9: PLAT_TEST says so there.
import './damage.test.ts';
