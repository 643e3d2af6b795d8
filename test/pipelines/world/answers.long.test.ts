// More than twice the answers of each field compared: PLAT_TEST says so there.
import './answers.test.ts';
