// Every operation of the reference is judged, with all parts of it opened, in light and in dark colours, instead of one in light
// ones: PLAT_TEST says so there.
import './smoke.test.ts';
