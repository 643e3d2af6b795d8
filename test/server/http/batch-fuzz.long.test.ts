// Three times the bodies: PLAT_TEST says so there.
import './batch-fuzz.test.ts';
