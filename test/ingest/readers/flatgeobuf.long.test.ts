// Cut off at four times the bytes: PLAT_TEST says so there.
import './flatgeobuf.test.ts';
