// Every part of the hamlet is replaced twice: PLAT_TEST says so there.
import './garbage.test.ts';
