// Twice the clusters and lists of points: PLAT_TEST says so there.
import './agreement.test.ts';
