// The county without calculations too: PLAT_TEST says so there.
import './county.test.ts';
