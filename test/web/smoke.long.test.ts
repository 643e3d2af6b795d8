// Every part of the reference is opened, instead of those of one operation: PLAT_TEST says so there.
import './smoke.test.ts';
