// Every operation of the reference is judged, with all parts of it opened, instead of one: PLAT_TEST says so there.
import './smoke.test.ts';
