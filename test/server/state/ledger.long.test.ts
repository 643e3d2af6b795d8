// The same tests with more seeds: PLAT_TEST says so there.
import './ledger.test.ts';
