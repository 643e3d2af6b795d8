// More charges and results before the kill, more retries: PLAT_TEST says so there.
import './kill.test.ts';
