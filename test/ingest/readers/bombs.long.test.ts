// The same tests with ten times the damage: PLAT_TEST says so there.
import './bombs.test.ts';
