// The whole area by the command, byte by byte: PLAT_TEST says so there.
import './generate.test.ts';
