// Every parcel instead of some: PLAT_TEST says so there.
import './enrich.test.ts';
