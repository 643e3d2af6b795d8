// Every kind of wrong usage: PLAT_TEST says so there.
import './command.test.ts';
