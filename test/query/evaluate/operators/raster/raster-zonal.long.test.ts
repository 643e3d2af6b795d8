// Three times the discs: PLAT_TEST says so there.
import './raster-zonal.test.ts';
