// Five times the spoilt bodies: PLAT_TEST says so there.
import './search-body.test.ts';
