// As well the webhooks of workers, which start four processes: PLAT_TEST says so there.
import './serve-jobs.test.ts';
