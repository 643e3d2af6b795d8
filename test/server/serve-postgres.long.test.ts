// A start without any secret too: PLAT_TEST says so there.
import './serve-postgres.test.ts';
