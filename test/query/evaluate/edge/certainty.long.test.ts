// Nearly three times the points that brute force is asked about: PLAT_TEST says so there.
import './certainty.test.ts';
