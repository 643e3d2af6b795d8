// Forest City and the lots of Washington beside Bangor: PLAT_TEST says so there.
import './geocode.test.ts';
